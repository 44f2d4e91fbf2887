#include "model/table_info.h"

namespace strom::model {

TableDescriptor TableInfo::descriptor() const {
  return {.schema = schema,
          .comment = comment,
          .partition_keys = partition_keys,
          .distribution = Distribution{.bucket_count = bucket_count, .bucket_keys = bucket_keys},
          .properties = properties,
          .custom_properties = custom_properties};
}

Result<TableInfo> make_table_info(TablePath path, const TableRegistration& registration, SchemaInfo schema) {
  Result<TableOptions> options = TableOptions::parse(registration.properties);
  if (!options.ok()) {
    return make_error(options.code(), "properties of table {}: {}", path, options.error().message);
  }
  return TableInfo{.path = std::move(path),
                   .table_id = registration.table_id,
                   .schema_id = schema.id,
                   .schema = std::move(schema.schema),
                   .comment = registration.comment,
                   .partition_keys = registration.partition_keys,
                   .bucket_keys = registration.bucket_keys,
                   .bucket_count = registration.bucket_count,
                   .properties = registration.properties,
                   .options = *std::move(options),
                   .custom_properties = registration.custom_properties,
                   .remote_data_dir = registration.remote_data_dir,
                   .created = registration.created,
                   .modified = registration.modified};
}

}  // namespace strom::model
