#include "format/row/payload.h"
#include "format/row/row_formats.h"
#include "format/row/scalar.h"

namespace strom::format {

using model::DataType;
using model::TypeRoot;

namespace {

size_t null_bits_size(size_t arity) { return (arity + 7) / 8; }

// Integers of 32 and 64 bits are varints of their bit pattern: small ones are short, negative ones take all
// bytes.
void put_varint32(Buffer& to, int32_t value) { put_varint(to, static_cast<uint32_t>(value)); }
void put_varint64(Buffer& to, int64_t value) { put_varint(to, static_cast<uint64_t>(value)); }

Result<int32_t> read_varint32(ByteReader& from) {
  return static_cast<int32_t>(STROM_TRY(from.varint<uint32_t>()));
}
Result<int64_t> read_varint64(ByteReader& from) {
  return static_cast<int64_t>(STROM_TRY(from.varint<uint64_t>()));
}

Status append_payload(Buffer& to, const DataType& type, const Value& value) {
  const Buffer payload = STROM_TRY(encode_payload(RowFormat::kCompacted, type, value));
  put_varint(to, payload.size());
  append(to, payload);
  return {};
}

Result<Value> read_payload(ByteReader& from, const DataType& type) {
  const auto size = STROM_TRY(from.varint<uint32_t>());
  return decode_payload(RowFormat::kCompacted, type, STROM_TRY(from.bytes(size)));
}

Status append_scalar(Buffer& to, const DataType& type, const Value& value) {
  const size_t start = to.size();
  to.resize(start + scalar_size(type));
  return store_scalar(to.data() + start, type, value);
}

Result<Value> read_timestamp(ByteReader& from, const DataType& type) {
  const int64_t millis = STROM_TRY(read_varint64(from));
  const int32_t nanos = is_compact_timestamp(type) ? 0 : STROM_TRY(read_varint32(from));
  return Value(STROM_TRY(make_timestamp(millis, nanos)));
}

}  // namespace

Status append_compacted(Buffer& to, const DataType& type, const Value& value) {
  switch (type.root) {
    case TypeRoot::kBoolean:
    case TypeRoot::kTinyInt:
    case TypeRoot::kSmallInt:
    case TypeRoot::kFloat:
    case TypeRoot::kDouble:
      return append_scalar(to, type, value);
    case TypeRoot::kInteger:
    case TypeRoot::kDate:
    case TypeRoot::kTime:
      put_varint32(to, *STROM_TRY(expect<int32_t>(type, value)));
      return {};
    case TypeRoot::kBigInt:
      put_varint64(to, *STROM_TRY(expect<int64_t>(type, value)));
      return {};
    case TypeRoot::kDecimal:
      if (!is_compact_decimal(type)) return append_payload(to, type, value);
      put_varint64(to, static_cast<int64_t>(STROM_TRY(expect_decimal(type, value))));
      return {};
    case TypeRoot::kTimestamp:
    case TypeRoot::kTimestampLtz: {
      const Timestamp timestamp = STROM_TRY(expect_timestamp(type, value));
      put_varint64(to, timestamp.millis);
      if (!is_compact_timestamp(type)) put_varint32(to, timestamp.nanos_of_milli);
      return {};
    }
    default:
      return append_payload(to, type, value);
  }
}

Result<Value> read_compacted(ByteReader& from, const DataType& type) {
  switch (type.root) {
    case TypeRoot::kBoolean:
    case TypeRoot::kTinyInt:
    case TypeRoot::kSmallInt:
    case TypeRoot::kFloat:
    case TypeRoot::kDouble:
      return load_scalar(STROM_TRY(from.bytes(scalar_size(type))).data(), type);
    case TypeRoot::kInteger:
    case TypeRoot::kDate:
    case TypeRoot::kTime:
      return Value(STROM_TRY(read_varint32(from)));
    case TypeRoot::kBigInt:
      return Value(STROM_TRY(read_varint64(from)));
    case TypeRoot::kDecimal:
      if (!is_compact_decimal(type)) return read_payload(from, type);
      return Value(Decimal{
          .unscaled = STROM_TRY(read_varint64(from)), .precision = type.precision, .scale = type.scale});
    case TypeRoot::kTimestamp:
    case TypeRoot::kTimestampLtz:
      return read_timestamp(from, type);
    default:
      return read_payload(from, type);
  }
}

Result<Buffer> encode_compacted_row(const DataType& row_type, const RowValue& row) {
  Buffer bytes(null_bits_size(row.fields.size()));
  for (size_t i = 0; i < row.fields.size(); ++i) {
    if (row.fields[i].is_null()) {
      bytes[i / 8] |= static_cast<uint8_t>(1 << i % 8);
      continue;
    }
    const Status written = append_compacted(bytes, row_type.fields[i].type, row.fields[i]);
    if (!written.ok()) return in_field(row_type.fields[i], written.error());
  }
  return bytes;
}

Result<RowValue> decode_compacted_row(const DataType& row_type, ByteView bytes) {
  const size_t arity = row_type.fields.size();
  ByteReader reader(bytes, "compacted row");
  const ByteView null_bits = STROM_TRY(reader.bytes(null_bits_size(arity)));
  RowValue row;
  row.fields.reserve(arity);
  for (size_t i = 0; i < arity; ++i) {
    if ((null_bits[i / 8] >> i % 8 & 1) != 0) {
      row.fields.emplace_back();
      continue;
    }
    auto value = read_compacted(reader, row_type.fields[i].type);
    if (!value.ok()) return in_field(row_type.fields[i], value.error());
    row.fields.push_back(*std::move(value));
  }
  if (reader.remaining() > 0) {
    return make_error(ErrorCode::kCorruptRecord, "compacted row: {} bytes follow its {} fields",
                      reader.remaining(), arity);
  }
  return row;
}

}  // namespace strom::format
