// TableInfo: everything about one table at one schema, resolved: what servers pass around once a table
// exists. Values only, any thread. Upstream counterpart: metadata/TableInfo.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/ids.h"
#include "model/properties.h"
#include "model/registration.h"
#include "model/schema.h"
#include "model/table_descriptor.h"
#include "model/table_options.h"
#include "model/table_path.h"

namespace strom::model {

struct TableInfo {
  TablePath path;
  TableId table_id{};
  SchemaId schema_id{};
  Schema schema;  // with number schema_id
  std::optional<std::string> comment;
  std::vector<std::string> partition_keys;
  std::vector<std::string> bucket_keys;
  int32_t bucket_count = 1;  // of the table, or of each partition
  Properties properties;
  TableOptions options;  // typed view of `properties`
  Properties custom_properties;
  std::optional<std::string> remote_data_dir;
  Timestamp created = kNoTimestamp;
  Timestamp modified = kNoTimestamp;

  bool has_primary_key() const { return schema.has_primary_key(); }
  bool has_bucket_key() const { return !bucket_keys.empty(); }
  bool is_partitioned() const { return !partition_keys.empty(); }
  bool is_auto_partitioned() const { return is_partitioned() && options.auto_partition.enabled; }

  // What a client that asks for the table gets.
  TableDescriptor descriptor() const;
};

// kInvalidConfig when a stored property can't be read.
Result<TableInfo> make_table_info(TablePath path, const TableRegistration& registration, SchemaInfo schema);

}  // namespace strom::model
