#include "model/table_descriptor.h"

#include <nlohmann/json.hpp>

#include "model/json.h"
#include "model/names.h"
#include "model/schema_json.h"

namespace strom::model {
namespace {

constexpr ErrorCode kCode = ErrorCode::kInvalidTable;
constexpr int kVersion = 1;

Status check_partition_keys(const TableDescriptor& table) {
  for (const std::string& key : table.partition_keys) {
    if (!table.schema.index_of(key))
      return make_error(kCode, "partition key '{}' is no column of the table", key);
    if (table.has_primary_key() && !contains(table.schema.primary_key(), key)) {
      return make_error(kCode, "partition keys {} of a primary-key table must be part of its primary key {}",
                        print_names(table.partition_keys), print_names(table.schema.primary_key()));
    }
  }
  return {};
}

Status check_bucket_keys(const TableDescriptor& table) {
  for (const std::string& key : table.bucket_keys()) {
    if (contains(table.partition_keys, key)) {
      return make_error(kCode, "bucket keys {} can't include a partition key of {}",
                        print_names(table.bucket_keys()), print_names(table.partition_keys));
    }
    if (!table.schema.index_of(key))
      return make_error(kCode, "bucket key '{}' is no column of the table", key);
    if (table.has_primary_key() && !contains(table.schema.primary_key(), key)) {
      return make_error(kCode, "bucket keys {} of a primary-key table must be part of its primary key {}",
                        print_names(table.bucket_keys()), print_names(table.schema.primary_key()));
    }
  }
  return {};
}

// Before the primary key was given bucket keys, there must be something left of it.
Status give_default_bucket_keys(TableDescriptor& table) {
  if (!table.has_primary_key() || !table.bucket_keys().empty()) return {};
  if (!table.distribution) table.distribution.emplace();
  table.distribution->bucket_keys = physical_primary_key(table.schema, table.partition_keys);
  if (table.distribution->bucket_keys.empty()) {
    return make_error(kCode, "primary key {} must have a column that is no partition key",
                      print_names(table.schema.primary_key()));
  }
  return {};
}

Result<TableDescriptor> descriptor_from(const Json& json) {
  JsonObject object(json, kCode, "table descriptor");
  TableDescriptor table;
  table.schema = STROM_TRY(schema_from(*STROM_TRY(object.get("schema"))));
  table.comment = STROM_TRY(object.optional_text("comment"));
  table.partition_keys = STROM_TRY(object.texts("partition_key"));
  if (object.find("bucket_key") != nullptr || object.find("bucket_count") != nullptr) {
    table.distribution = Distribution{.bucket_count = STROM_TRY(object.optional_int32("bucket_count")),
                                      .bucket_keys = STROM_TRY(object.texts("bucket_key"))};
  }
  table.properties = STROM_TRY(object.properties("properties"));
  table.custom_properties = STROM_TRY(object.properties("custom_properties"));
  return table;
}

}  // namespace

std::vector<std::string> physical_primary_key(const Schema& schema,
                                              const std::vector<std::string>& partition_keys) {
  std::vector<std::string> result;
  for (const std::string& column : schema.primary_key()) {
    if (!contains(partition_keys, column)) result.push_back(column);
  }
  return result;
}

const std::vector<std::string>& TableDescriptor::bucket_keys() const {
  static const std::vector<std::string> kNone;
  return distribution ? distribution->bucket_keys : kNone;
}

std::optional<int32_t> TableDescriptor::bucket_count() const {
  return distribution ? distribution->bucket_count : std::nullopt;
}

Result<TableDescriptor> normalize(TableDescriptor descriptor) {
  STROM_TRY(give_default_bucket_keys(descriptor));
  STROM_TRY(check_partition_keys(descriptor));
  STROM_TRY(check_bucket_keys(descriptor));
  return descriptor;
}

std::string TableDescriptor::to_json() const {
  Json json = {{"version", kVersion}, {"schema", json_of(schema)}};
  if (comment) json["comment"] = *comment;
  json["partition_key"] = json_of(partition_keys);
  if (distribution) {
    json["bucket_key"] = json_of(distribution->bucket_keys);
    if (distribution->bucket_count) json["bucket_count"] = *distribution->bucket_count;
  }
  json["properties"] = json_of(properties);
  json["custom_properties"] = json_of(custom_properties);
  return dump_json(json);
}

Result<TableDescriptor> TableDescriptor::parse_json(std::string_view json) {
  return normalize(STROM_TRY(descriptor_from(STROM_TRY(parse_json_object(json, kCode)))));
}

}  // namespace strom::model
