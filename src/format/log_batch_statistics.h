// Column statistics of a batch of magic 1 or 2: which columns, how many nulls, smallest and largest values.
// They let a filtered fetch skip whole batches. Borrowed memory; any thread. Format:
// docs/formats/log-batch.md. Upstream counterpart: record/LogRecordBatchStatisticsParser.
#pragma once

#include <cstdint>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"

namespace strom::format {

struct BatchStatistics {
  std::vector<int16_t> columns;      // positions in the schema of the batch
  std::vector<int32_t> null_counts;  // same length and order
  // Aligned rows of columns.size() fields; a column that is all null is a null field. Empty when absent.
  ByteView min_row;
  ByteView max_row;
};

// Reads LogBatchView::statistics() (not empty) of a batch whose schema has `column_count` columns.
// kCorruptRecord for anything that isn't whole and consistent. Such statistics are useless, the batch itself
// may be fine: keep it.
Result<BatchStatistics> parse_statistics(ByteView bytes, size_t column_count);

}  // namespace strom::format
