#include "format/row/row_codec.h"

#include "format/row/row_formats.h"

namespace strom::format {

Result<Buffer> encode_row(RowFormat format, const model::DataType& row_type, const RowValue& row) {
  STROM_CHECK(row_type.root == model::TypeRoot::kRow, "encode_row with the type {}", row_type);
  if (row.fields.size() != row_type.fields.size()) {
    return make_error(ErrorCode::kCorruptRecord, "expected a row of {} fields, found {}",
                      row_type.fields.size(), row.fields.size());
  }
  for (size_t i = 0; i < row.fields.size(); ++i) {
    if (!row.fields[i].is_null() || row_type.fields[i].type.nullable) continue;
    return make_error(ErrorCode::kCorruptRecord, "field {}: expected a value of {}, found null",
                      row_type.fields[i].name, row_type.fields[i].type);
  }
  switch (format) {
    case RowFormat::kCompacted:
      return encode_compacted_row(row_type, row);
    case RowFormat::kIndexed:
      return encode_indexed_row(row_type, row);
    case RowFormat::kAligned:
      return encode_aligned_row(row_type, row);
  }
  STROM_CHECK(false, "row format {}", static_cast<int>(format));
}

Result<RowValue> decode_row(RowFormat format, const model::DataType& row_type, ByteView bytes) {
  STROM_CHECK(row_type.root == model::TypeRoot::kRow, "decode_row with the type {}", row_type);
  switch (format) {
    case RowFormat::kCompacted:
      return decode_compacted_row(row_type, bytes);
    case RowFormat::kIndexed:
      return decode_indexed_row(row_type, bytes);
    case RowFormat::kAligned:
      return decode_aligned_row(row_type, bytes);
  }
  STROM_CHECK(false, "row format {}", static_cast<int>(format));
}

}  // namespace strom::format
