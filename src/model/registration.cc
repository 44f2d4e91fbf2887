#include "model/registration.h"

#include <nlohmann/json.hpp>

#include "model/json.h"

namespace strom::model {
namespace {

constexpr ErrorCode kCode = ErrorCode::kUnknownServerError;

}  // namespace

std::string DatabaseRegistration::to_json() const {
  Json json = {{"version", 1}};
  if (descriptor.comment) json["comment"] = *descriptor.comment;
  json["custom_properties"] = json_of(descriptor.custom_properties);
  json["created_time"] = created.value;
  json["modified_time"] = modified.value;
  return dump_json(json);
}

Result<DatabaseRegistration> DatabaseRegistration::parse_json(std::string_view json) {
  Json document = STROM_TRY(parse_json_object(json, kCode));
  JsonObject object(document, kCode, "database node");
  DatabaseRegistration registration;
  registration.descriptor.comment = STROM_TRY(object.optional_text("comment"));
  registration.descriptor.custom_properties = STROM_TRY(object.properties("custom_properties"));
  registration.created = Timestamp(STROM_TRY(object.int64("created_time")));
  registration.modified = Timestamp(STROM_TRY(object.int64("modified_time")));
  return registration;
}

Result<TableRegistration> TableRegistration::make(TableId id, const TableDescriptor& descriptor,
                                                  std::optional<std::string> remote_data_dir, Timestamp now) {
  if (!descriptor.bucket_count()) {
    return make_error(ErrorCode::kInvalidTable, "a table can't be registered without a bucket count");
  }
  return TableRegistration{.table_id = id,
                           .comment = descriptor.comment,
                           .partition_keys = descriptor.partition_keys,
                           .bucket_keys = descriptor.bucket_keys(),
                           .bucket_count = *descriptor.bucket_count(),
                           .properties = descriptor.properties,
                           .custom_properties = descriptor.custom_properties,
                           .remote_data_dir = std::move(remote_data_dir),
                           .created = now,
                           .modified = now};
}

std::string TableRegistration::to_json() const {
  Json json = {{"version", 1}, {"table_id", table_id.value}};
  if (comment) json["comment"] = *comment;
  if (!partition_keys.empty()) json["partition_key"] = json_of(partition_keys);
  if (!bucket_keys.empty()) json["bucket_key"] = json_of(bucket_keys);
  json["bucket_count"] = bucket_count;
  json["properties"] = json_of(properties);
  json["custom_properties"] = json_of(custom_properties);
  if (remote_data_dir) json["remote_data_dir"] = *remote_data_dir;
  json["created_time"] = created.value;
  json["modified_time"] = modified.value;
  return dump_json(json);
}

Result<TableRegistration> TableRegistration::parse_json(std::string_view json) {
  Json document = STROM_TRY(parse_json_object(json, kCode));
  JsonObject object(document, kCode, "table node");
  TableRegistration table;
  table.table_id = TableId(STROM_TRY(object.int64("table_id")));
  table.comment = STROM_TRY(object.optional_text("comment"));
  table.partition_keys = STROM_TRY(object.texts_or_none("partition_key"));
  table.bucket_keys = STROM_TRY(object.texts_or_none("bucket_key"));
  table.bucket_count = STROM_TRY(object.int32("bucket_count"));
  table.properties = STROM_TRY(object.properties("properties"));
  table.custom_properties = STROM_TRY(object.properties("custom_properties"));
  table.remote_data_dir = STROM_TRY(object.optional_text("remote_data_dir"));
  table.created = Timestamp(STROM_TRY(object.int64("created_time")));
  table.modified = Timestamp(STROM_TRY(object.int64("modified_time")));
  return table;
}

std::string PartitionRegistration::to_json() const {
  Json json = {{"version", 1}, {"table_id", table_id.value}, {"partition_id", partition_id.value}};
  if (remote_data_dir) json["remote_data_dir"] = *remote_data_dir;
  return dump_json(json);
}

Result<PartitionRegistration> PartitionRegistration::parse_json(std::string_view json) {
  Json document = STROM_TRY(parse_json_object(json, kCode));
  JsonObject object(document, kCode, "partition node");
  PartitionRegistration partition;
  partition.table_id = TableId(STROM_TRY(object.int64("table_id")));
  partition.partition_id = PartitionId(STROM_TRY(object.int64("partition_id")));
  partition.remote_data_dir = STROM_TRY(object.optional_text("remote_data_dir"));
  return partition;
}

}  // namespace strom::model
