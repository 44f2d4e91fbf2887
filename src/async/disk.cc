#include "async/disk.h"

namespace strom::async {

std::string join_path(std::string_view directory, std::string_view name) {
  std::string path(directory);
  if (!path.empty() && path.back() != '/') path.push_back('/');
  path.append(name);
  return path;
}

std::string parent_path(std::string_view path) {
  size_t slash = path.rfind('/');
  if (slash == std::string_view::npos) return ".";
  return std::string(path.substr(0, slash == 0 ? 1 : slash));
}

Result<Buffer> Disk::read_file(const std::string& path, size_t limit) {
  auto file = STROM_TRY(open(path, OpenMode::kRead));
  uint64_t size = STROM_TRY(file->size());
  if (size > limit) {
    return make_error(ErrorCode::kLogStorage, "{} has {} bytes, expected at most {}", path, size, limit);
  }
  Buffer content(size);
  content.resize(STROM_TRY(file->read(0, content)));
  return content;
}

Status Disk::replace_file(const std::string& path, ByteView content) {
  const std::string temporary = path + ".tmp";
  auto file = STROM_TRY(open(temporary, OpenMode::kCreate));
  STROM_TRY(file->truncate(0));
  STROM_TRY(file->write(0, content));
  STROM_TRY(file->sync());
  STROM_TRY(rename(temporary, path));
  return sync_directory(parent_path(path));
}

}  // namespace strom::async
