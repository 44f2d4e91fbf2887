#include "metastore/metastore.h"

namespace strom::metastore {

Operation Operation::create(std::string path, Buffer data) {
  return {.kind = Kind::kCreate, .path = std::move(path), .data = std::move(data)};
}

Operation Operation::create_ephemeral(std::string path, Buffer data) {
  return {.kind = Kind::kCreate, .path = std::move(path), .data = std::move(data), .ephemeral = true};
}

Operation Operation::set(std::string path, Buffer data, int32_t version) {
  return {.kind = Kind::kSet, .path = std::move(path), .data = std::move(data), .version = version};
}

Operation Operation::put(std::string path, Buffer data) {
  return {.kind = Kind::kPut, .path = std::move(path), .data = std::move(data)};
}

Operation Operation::remove(std::string path, int32_t version) {
  return {.kind = Kind::kDelete, .path = std::move(path), .data = {}, .version = version};
}

Operation Operation::remove_tree(std::string path) {
  return {.kind = Kind::kDeleteTree, .path = std::move(path)};
}

Operation Operation::check(std::string path, int32_t version) {
  return {.kind = Kind::kCheck, .path = std::move(path), .data = {}, .version = version};
}

}  // namespace strom::metastore
