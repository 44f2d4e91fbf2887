// Rows as bytes, in the three row formats of the protocol, and back. Pure; any thread.
//   COMPACTED  values packed one behind the other; the default of primary-key tables
//   INDEXED    fixed widths and a list of lengths
//   ALIGNED    8-byte slots and a variable part (Flink's and Paimon's BinaryRow); statistics, Paimon keys
// Rows, arrays and maps inside a row are encoded in the format of that row.
// Format: docs/formats/row-{compacted,indexed,aligned}.md. Upstream counterpart: row/encode/RowEncoder,
// row/decode/RowDecoder.
#pragma once

#include <cstdint>

#include "base/bytes.h"
#include "base/result.h"
#include "format/row/value.h"
#include "model/data_type.h"

namespace strom::format {

enum class RowFormat : uint8_t { kCompacted, kIndexed, kAligned };

// `row_type` is a ROW (model::Schema::row_type()), `row` has a value for each of its fields. kCorruptRecord
// names the field whose value is not of its type, is null although the type is NOT NULL, or does not fit (a
// decimal with too many digits or another scale; INDEXED: a CHAR(n) or BINARY(n) of more than n bytes).
// Nanoseconds of a timestamp of precision 0..3 are dropped, as upstream does.
Result<Buffer> encode_row(RowFormat format, const model::DataType& row_type, const RowValue& row);

// The row that is all of `bytes`, which may be hostile: kCorruptRecord when they are no row of this type.
// Memory is proportional to `bytes`. A null is returned as it stands, also where the type is NOT NULL.
// INDEXED pads CHAR(n) and BINARY(n) with zeros: CHAR is returned without them, BINARY with all n bytes.
Result<RowValue> decode_row(RowFormat format, const model::DataType& row_type, ByteView bytes);

}  // namespace strom::format
