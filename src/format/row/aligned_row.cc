#include "base/endian.h"
#include "format/row/row_formats.h"
#include "format/row/scalar.h"
#include "format/row/slots.h"

namespace strom::format {

using model::DataType;

namespace {

constexpr size_t kSlotSize = 8;
constexpr size_t kHeaderBits = 8;  // one byte before the null bits: the row kind in Paimon, 0 here

size_t null_bits_size(size_t arity) { return (arity + kHeaderBits + 63) / 64 * 8; }

}  // namespace

Result<Buffer> encode_aligned_row(const DataType& row_type, const RowValue& row) {
  const size_t slots_start = null_bits_size(row.fields.size());
  Buffer bytes(slots_start + row.fields.size() * kSlotSize);
  for (size_t i = 0; i < row.fields.size(); ++i) {
    const Value& value = row.fields[i];
    if (value.is_null()) {
      bytes[(i + kHeaderBits) / 8] |= static_cast<uint8_t>(1 << (i + kHeaderBits) % 8);
      continue;
    }
    const model::DataField& field = row_type.fields[i];
    const size_t slot = slots_start + i * kSlotSize;
    const Status written = scalar_size(field.type) > 0
                               ? store_scalar(bytes.data() + slot, field.type, value)
                               : write_slot(bytes, slot, RowFormat::kAligned, field.type, value);
    if (!written.ok()) return in_field(field, written.error());
  }
  return bytes;
}

Result<RowValue> decode_aligned_row(const DataType& row_type, ByteView bytes) {
  const size_t arity = row_type.fields.size();
  const size_t slots_start = null_bits_size(arity);
  const size_t fixed_size = slots_start + arity * kSlotSize;
  if (bytes.size() < fixed_size) {
    return make_error(ErrorCode::kCorruptRecord, "aligned row: expected {} bytes for {} fields, found {}",
                      fixed_size, arity, bytes.size());
  }
  SlotReader slots(bytes, fixed_size, RowFormat::kAligned);
  RowValue row;
  row.fields.reserve(arity);
  for (size_t i = 0; i < arity; ++i) {
    const model::DataField& field = row_type.fields[i];
    const size_t slot = slots_start + i * kSlotSize;
    if ((bytes[(i + kHeaderBits) / 8] >> (i + kHeaderBits) % 8 & 1) != 0) {
      row.fields.emplace_back();
    } else if (scalar_size(field.type) > 0) {
      row.fields.push_back(load_scalar(bytes.data() + slot, field.type));
    } else {
      auto value = slots.read(slot, field.type);
      if (!value.ok()) return in_field(field, value.error());
      row.fields.push_back(*std::move(value));
    }
  }
  return row;
}

}  // namespace strom::format
