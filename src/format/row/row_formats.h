// The three row formats behind encode_row() and decode_row(), which have checked the arguments. For row/ and
// key/ only. Any thread. Format: docs/formats/row-{compacted,indexed,aligned}.md. Upstream counterparts:
// row/{compacted,indexed,aligned}.
#pragma once

#include "format/row/byte_reader.h"
#include "format/row/row_codec.h"

namespace strom::format {

Result<Buffer> encode_compacted_row(const model::DataType& row_type, const RowValue& row);
Result<RowValue> decode_compacted_row(const model::DataType& row_type, ByteView bytes);
// One value that is not null, as it stands in a COMPACTED row and in a compacted key.
Status append_compacted(Buffer& to, const model::DataType& type, const Value& value);
Result<Value> read_compacted(ByteReader& from, const model::DataType& type);

Result<Buffer> encode_indexed_row(const model::DataType& row_type, const RowValue& row);
Result<RowValue> decode_indexed_row(const model::DataType& row_type, ByteView bytes);

Result<Buffer> encode_aligned_row(const model::DataType& row_type, const RowValue& row);
Result<RowValue> decode_aligned_row(const model::DataType& row_type, ByteView bytes);

}  // namespace strom::format
