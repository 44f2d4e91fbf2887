#include "server/metadata_reader.h"

#include <algorithm>
#include <charconv>

#include "model/node_paths.h"

namespace strom::server {

using async::Task;
using metastore::Metastore;
using model::TablePath;
namespace node_paths = model::node_paths;

namespace {

// The text of a node; empty when it is not there or was only made as a parent of others, which means the same
// here.
Task<Result<std::string>> read(Metastore& store, std::string path) {
  auto node = STROM_CO_TRY(co_await store.get(path));
  co_return node ? to_string(ByteView(node->data)) : std::string();
}

Error no_database(const std::string& name) {
  return make_error(ErrorCode::kDatabaseNotExist, "database {} does not exist", name);
}
Error no_table(const TablePath& path) {
  return make_error(ErrorCode::kTableNotExist, "table {} does not exist", path);
}

// Names come from clients and become parts of node paths: what can't be a name is the name of nothing.
bool may_exist(const TablePath& path) { return path.validate().ok(); }
bool may_exist(const std::string& partition_name) {
  return !partition_name.empty() && partition_name.find('/') == std::string::npos;
}

// Empty when there is no such table.
Task<Result<std::string>> read_table_node(Metastore& store, TablePath path) {
  if (!may_exist(path)) co_return std::string();
  co_return co_await read(store, node_paths::table(path));
}

Task<Result<model::SchemaId>> newest_schema(Metastore& store, TablePath path) {
  auto names = STROM_CO_TRY(co_await store.children(node_paths::schemas(path)));
  int32_t newest = 0;
  for (const std::string& name : names) {
    int32_t number = 0;
    auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
    if (error == std::errc() && end == name.data() + name.size()) newest = std::max(newest, number);
  }
  if (newest == 0) co_return make_error(ErrorCode::kSchemaNotExist, "table {} has no schema", path);
  co_return model::SchemaId(newest);
}

}  // namespace

Task<Result<std::vector<std::string>>> list_databases(Metastore& store) {
  co_return co_await store.children(std::string(node_paths::kDatabases));
}

Task<Result<model::DatabaseRegistration>> read_database(Metastore& store, std::string name) {
  if (!model::validate_database_name(name).ok()) co_return no_database(name);
  auto text = STROM_CO_TRY(co_await read(store, node_paths::database(name)));
  if (text.empty()) co_return no_database(name);
  co_return model::DatabaseRegistration::parse_json(text);
}

Task<Result<bool>> database_exists(Metastore& store, std::string name) {
  if (!model::validate_database_name(name).ok()) co_return false;
  auto text = STROM_CO_TRY(co_await read(store, node_paths::database(name)));
  co_return !text.empty();
}

Task<Result<std::vector<std::string>>> list_tables(Metastore& store, std::string database) {
  if (!STROM_CO_TRY(co_await database_exists(store, database))) co_return no_database(database);
  auto names = STROM_CO_TRY(co_await store.children(node_paths::tables(database)));
  std::vector<std::string> tables;
  for (const std::string& name : names) {
    if (STROM_CO_TRY(co_await table_exists(store, {database, name}))) tables.push_back(name);
  }
  co_return tables;
}

Task<Result<bool>> table_exists(Metastore& store, TablePath path) {
  auto text = STROM_CO_TRY(co_await read_table_node(store, path));
  co_return !text.empty();
}

Task<Result<std::shared_ptr<const model::TableInfo>>> read_table(Metastore& store, TablePath path) {
  auto text = STROM_CO_TRY(co_await read_table_node(store, path));
  if (text.empty()) co_return no_table(path);
  auto registration = STROM_CO_TRY(model::TableRegistration::parse_json(text));
  auto schema = STROM_CO_TRY(co_await read_schema(store, path, std::nullopt));
  auto table = STROM_CO_TRY(model::make_table_info(path, registration, std::move(schema)));
  co_return std::make_shared<const model::TableInfo>(std::move(table));
}

Task<Result<model::SchemaInfo>> read_schema(Metastore& store, TablePath path,
                                            std::optional<model::SchemaId> id) {
  if (!STROM_CO_TRY(co_await table_exists(store, path))) co_return no_table(path);
  if (!id) id = STROM_CO_TRY(co_await newest_schema(store, path));
  auto text = STROM_CO_TRY(co_await read(store, node_paths::schema(path, *id)));
  if (text.empty()) co_return make_error(ErrorCode::kSchemaNotExist, "table {} has no schema {}", path, *id);
  auto schema = model::Schema::parse_json(text);
  if (!schema.ok()) {
    co_return make_error(ErrorCode::kUnknownServerError, "schema {} of table {} can't be read: {}", *id, path,
                         schema.error().message);
  }
  co_return model::SchemaInfo{*id, std::move(*schema)};
}

Task<Result<std::map<std::string, model::PartitionRegistration>>> read_partitions(Metastore& store,
                                                                                  TablePath path) {
  std::map<std::string, model::PartitionRegistration> partitions;
  if (!may_exist(path)) co_return partitions;
  auto names = STROM_CO_TRY(co_await store.children(node_paths::partitions(path)));
  for (const std::string& name : names) {
    auto partition = STROM_CO_TRY(co_await read_partition(store, path, name));
    if (partition) partitions.emplace(name, std::move(*partition));
  }
  co_return partitions;
}

Task<Result<std::optional<model::PartitionRegistration>>> read_partition(Metastore& store, TablePath path,
                                                                         std::string name) {
  if (!may_exist(path) || !may_exist(name)) co_return std::nullopt;
  auto text = STROM_CO_TRY(co_await read(store, node_paths::partition(path, name)));
  if (text.empty()) co_return std::nullopt;
  co_return STROM_CO_TRY(model::PartitionRegistration::parse_json(text));
}

}  // namespace strom::server
