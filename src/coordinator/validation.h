// What a table may be: the system defaults that are written into a new table's descriptor, and the rules that
// descriptors, altered properties and added columns obey. Pure; any thread. What a later release will support
// is refused here, with a message that says so. Upstream counterparts:
// server/utils/TableDescriptorValidation, CoordinatorService.applySystemDefaults, SchemaUpdate.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/schema.h"
#include "model/table_descriptor.h"
#include "model/table_info.h"

namespace strom::coordinator {

// Options of the server that fill what a descriptor leaves open.
struct ClusterDefaults {
  int32_t bucket_count = 1;        // default.bucket.number
  int32_t replication_factor = 1;  // default.replication.factor
};

struct TableLimits {
  int32_t max_buckets = 4096;  // max.bucket.num, of a table or of each partition
};

// Writes the defaults into a descriptor, where clients read them back. kInvalidTable for a lake table,
// because this server has no lake; kInvalidConfig for a version of the key encoding that it does not know.
Result<model::TableDescriptor> apply_system_defaults(model::TableDescriptor descriptor,
                                                     const ClusterDefaults& defaults);

// Checks a descriptor with defaults applied, of a new table or after its properties changed: kInvalidConfig
// for properties, kBucketMaxNum for too many buckets, kInvalidTable for the rest.
Status validate_table(const model::TableDescriptor& descriptor, const TableLimits& limits);

// Checks that these `table.*` keys of the table may be set or reset; kInvalidAlterTable names those that may
// not. The values are checked by validate_table on the descriptor that results.
Status validate_alter_properties(const model::TableInfo& table, std::span<const std::string> keys);

// The schema with columns added at its end (their ids are assigned here). kInvalidAlterTable for a name that
// exists, kInvalidTable for a reserved name. A column that is NOT NULL is kUnknownServerError, as clients
// know it from upstream.
Result<model::Schema> add_columns(const model::Schema& schema, const std::vector<model::Column>& columns);

}  // namespace strom::coordinator
