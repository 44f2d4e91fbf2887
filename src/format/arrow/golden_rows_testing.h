// The schemas and rows of the golden batches that tests/golden/log_batch/WriteBatches.java writes. Tests
// only.
#pragma once

#include <vector>

#include "format/row/value.h"
#include "model/schema.h"

namespace strom::format::arrow {

model::Schema types_schema();
std::vector<RowValue> types_rows();
model::Schema nested_schema();
std::vector<RowValue> nested_rows();
std::vector<RowValue> empty_array_rows();
model::Schema changes_schema();
std::vector<RowValue> changes_rows();

// The columns at `positions` alone.
model::Schema projected(const model::Schema& schema, const std::vector<int32_t>& positions);
std::vector<RowValue> projected(const std::vector<RowValue>& rows, const std::vector<int32_t>& positions);

}  // namespace strom::format::arrow
