// Reads an Arrow record batch message into rows of Values. For the C++ client, the command line, the
// changelog and tests; the server's data path never decodes. Copes with any bytes within the given limits.
// Any thread. Format: docs/formats/arrow.md. Upstream counterparts: row/arrow/ArrowReader,
// record/FlussVectorLoader.
#pragma once

#include <cstddef>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "format/row/value.h"
#include "model/data_type.h"

namespace strom::format::arrow {

// A few bytes can stand for very many values (bits, compression), so the caller says how much memory a
// message is worth.
struct ReadLimits {
  size_t decompressed_bytes = size_t{256} << 20;
  size_t values = size_t{16} << 20;  // over all columns, nested values and nulls included
};

// The rows of the message (LogBatchView::arrow_records) whose columns are the fields of `row_type`, a ROW.
// Rows of a projected fetch have the projected fields. kCorruptRecord when the bytes are no such message or
// exceed a limit. Nulls are returned as they stand, also where the type is NOT NULL.
Result<std::vector<RowValue>> read_rows(ByteView message, const model::DataType& row_type,
                                        const ReadLimits& limits = {});

}  // namespace strom::format::arrow
