// The single rules of validate_table, in the order in which it checks them: when several are broken, clients
// get the error that they get upstream. Internal to src/coordinator. Pure; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/schema.h"
#include "model/table_descriptor.h"
#include "model/table_options.h"

namespace strom::coordinator {

Status check_distribution(const model::TableDescriptor& table, int32_t max_buckets);
// Columns of a key can't be ARRAY, MAP or ROW. `role`: "bucket key".
Status check_key_types(const model::Schema& schema, const std::vector<std::string>& columns,
                       std::string_view role);
Status check_log_options(const model::TableOptions& options, bool has_primary_key);
Status check_merge_options(const model::TableOptions& options, const model::Schema& schema);
Status check_tiering_options(const model::TableOptions& options);
Status check_partitioning(const model::TableOptions& options, const model::TableDescriptor& table);
Status check_column_names(const model::Schema& schema);
Status check_statistics(const model::TableOptions& options, const model::Schema& schema);

}  // namespace strom::coordinator
