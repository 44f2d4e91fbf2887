#include <algorithm>

#include "base/endian.h"
#include "format/row/payload.h"
#include "format/row/row_formats.h"
#include "format/row/scalar.h"

namespace strom::format {

using model::DataField;
using model::DataType;
using model::TypeRoot;

namespace {

constexpr size_t kLengthSize = 4;

// How many bytes a value of the type takes; nothing when that differs from value to value and so stands in
// the list of lengths.
std::optional<size_t> fixed_width(const DataType& type) {
  switch (type.root) {
    case TypeRoot::kChar:
    case TypeRoot::kBinary:
      return static_cast<size_t>(type.length);
    case TypeRoot::kTimestamp:
    case TypeRoot::kTimestampLtz:
      return is_compact_timestamp(type) ? 8 : 12;
    default:
      break;
  }
  const size_t scalar = scalar_size(type);
  return scalar > 0 ? std::optional(scalar) : std::nullopt;
}

// The null bits, and where the list of lengths and the values start. The list has room for all columns of
// variable width, but is filled from the front by those that are not null.
struct IndexedLayout {
  size_t lengths_start;
  size_t values_start;

  explicit IndexedLayout(const DataType& row_type) {
    const auto variable = [](const DataField& field) { return !fixed_width(field.type); };
    const auto columns = std::count_if(row_type.fields.begin(), row_type.fields.end(), variable);
    lengths_start = (row_type.fields.size() + 7) / 8;
    values_start = lengths_start + static_cast<size_t>(columns) * kLengthSize;
  }
};

Status append_fixed(Buffer& to, const DataType& type, size_t width, const Value& value) {
  const size_t start = to.size();
  to.resize(start + width);
  if (scalar_size(type) > 0) return store_scalar(to.data() + start, type, value);
  if (type.root == TypeRoot::kTimestamp || type.root == TypeRoot::kTimestampLtz) {
    const Timestamp timestamp = STROM_TRY(expect_timestamp(type, value));
    store_le(to.data() + start, timestamp.millis);
    store_le(to.data() + start + 8, timestamp.nanos_of_milli);
    return {};
  }
  const Buffer payload = STROM_TRY(encode_payload(RowFormat::kIndexed, type, value));
  if (payload.size() > width) {
    return make_error(ErrorCode::kCorruptRecord, "expected at most {} bytes for {}, found {}", width, type,
                      payload.size());
  }
  std::copy(payload.begin(), payload.end(), to.begin() + static_cast<ptrdiff_t>(start));
  return {};
}

Result<Value> decode_fixed(const DataType& type, ByteView bytes) {
  if (scalar_size(type) > 0) return load_scalar(bytes.data(), type);
  if (type.root == TypeRoot::kTimestamp || type.root == TypeRoot::kTimestampLtz) {
    return Value(
        STROM_TRY(make_timestamp(load_le<int64_t>(bytes.data()), load_le<int32_t>(bytes.data() + 8))));
  }
  if (type.root == TypeRoot::kChar) {
    while (!bytes.empty() && bytes.back() == 0) bytes = bytes.first(bytes.size() - 1);
  }
  return decode_payload(RowFormat::kIndexed, type, bytes);
}

// One field from `values`; variable ones take their length from `lengths`.
Result<Value> read_field(ByteReader& values, ByteReader& lengths, const DataType& type) {
  if (const auto width = fixed_width(type)) return decode_fixed(type, STROM_TRY(values.bytes(*width)));
  const auto size = STROM_TRY(lengths.fixed<uint32_t>());
  return decode_payload(RowFormat::kIndexed, type, STROM_TRY(values.bytes(size)));
}

}  // namespace

Result<Buffer> encode_indexed_row(const DataType& row_type, const RowValue& row) {
  const IndexedLayout layout(row_type);
  Buffer bytes(layout.values_start);
  size_t next_length = layout.lengths_start;
  for (size_t i = 0; i < row.fields.size(); ++i) {
    const DataField& field = row_type.fields[i];
    if (row.fields[i].is_null()) {
      bytes[i / 8] |= static_cast<uint8_t>(1 << i % 8);
    } else if (const auto width = fixed_width(field.type)) {
      const Status written = append_fixed(bytes, field.type, *width, row.fields[i]);
      if (!written.ok()) return in_field(field, written.error());
    } else {
      const auto payload = encode_payload(RowFormat::kIndexed, field.type, row.fields[i]);
      if (!payload.ok()) return in_field(field, payload.error());
      store_le(bytes.data() + next_length, static_cast<int32_t>(payload->size()));
      next_length += kLengthSize;
      append(bytes, *payload);
    }
  }
  return bytes;
}

Result<RowValue> decode_indexed_row(const DataType& row_type, ByteView bytes) {
  const IndexedLayout layout(row_type);
  const size_t arity = row_type.fields.size();
  ByteReader values(bytes, "indexed row");
  const ByteView header = STROM_TRY(values.bytes(layout.values_start));
  ByteReader lengths(header.subspan(layout.lengths_start), "lengths of an indexed row");
  RowValue row;
  row.fields.reserve(arity);
  for (size_t i = 0; i < arity; ++i) {
    if ((header[i / 8] >> i % 8 & 1) != 0) {
      row.fields.emplace_back();
      continue;
    }
    auto value = read_field(values, lengths, row_type.fields[i].type);
    if (!value.ok()) return in_field(row_type.fields[i], value.error());
    row.fields.push_back(*std::move(value));
  }
  if (values.remaining() > 0) {
    return make_error(ErrorCode::kCorruptRecord, "indexed row: {} bytes follow its {} fields",
                      values.remaining(), arity);
  }
  return row;
}

}  // namespace strom::format
