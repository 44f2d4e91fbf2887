#include "format/row/payload.h"

#include "base/endian.h"
#include "format/row/byte_reader.h"
#include "format/row/scalar.h"

namespace strom::format {

using model::DataType;
using model::TypeRoot;

namespace {

Result<Buffer> encode_map(RowFormat container, const DataType& type, const MapValue& map) {
  if (map.keys.size() != map.values.size()) {
    return make_error(ErrorCode::kCorruptRecord, "expected as many keys as values in a map, found {} and {}",
                      map.keys.size(), map.values.size());
  }
  const Buffer keys = STROM_TRY(encode_array(container, type.key(), map.keys));
  const Buffer values = STROM_TRY(encode_array(container, type.value(), map.values));
  Buffer bytes;
  bytes.reserve(sizeof(int32_t) + keys.size() + values.size());
  put_fixed(bytes, static_cast<int32_t>(keys.size()));
  append(bytes, keys);
  append(bytes, values);
  return bytes;
}

Result<Value> decode_map(RowFormat container, const DataType& type, ByteView bytes) {
  ByteReader reader(bytes, "map");
  const auto key_size = STROM_TRY(reader.fixed<uint32_t>());
  MapValue map;
  map.keys = STROM_TRY(decode_array(container, type.key(), STROM_TRY(reader.bytes(key_size))));
  map.values = STROM_TRY(decode_array(container, type.value(), STROM_TRY(reader.bytes(reader.remaining()))));
  if (map.keys.size() != map.values.size()) {
    return make_error(ErrorCode::kCorruptRecord, "expected as many keys as values in a map, found {} and {}",
                      map.keys.size(), map.values.size());
  }
  return Value(std::move(map));
}

Buffer copy(ByteView bytes) { return Buffer(bytes.begin(), bytes.end()); }

}  // namespace

Result<Buffer> encode_payload(RowFormat container, const DataType& type, const Value& value) {
  switch (type.root) {
    case TypeRoot::kChar:
    case TypeRoot::kString:
      return copy(as_bytes(*STROM_TRY(expect<std::string>(type, value))));
    case TypeRoot::kBinary:
    case TypeRoot::kBytes:
      return copy(*STROM_TRY(expect<Buffer>(type, value)));
    case TypeRoot::kDecimal:
      return to_big_endian(STROM_TRY(expect_decimal(type, value)));
    case TypeRoot::kArray:
      return encode_array(container, type.element(), STROM_TRY(expect<ArrayValue>(type, value))->elements);
    case TypeRoot::kMap:
      return encode_map(container, type, *STROM_TRY(expect<MapValue>(type, value)));
    case TypeRoot::kRow:
      return encode_row(container, type, *STROM_TRY(expect<RowValue>(type, value)));
    default:
      STROM_CHECK(false, "{} has a fixed width", type);
  }
}

Result<Value> decode_payload(RowFormat container, const DataType& type, ByteView bytes) {
  switch (type.root) {
    case TypeRoot::kChar:
    case TypeRoot::kString:
      return Value(to_string(bytes));
    case TypeRoot::kBinary:
    case TypeRoot::kBytes:
      return Value(copy(bytes));
    case TypeRoot::kDecimal:
      return Value(Decimal{
          .unscaled = STROM_TRY(from_big_endian(bytes)), .precision = type.precision, .scale = type.scale});
    case TypeRoot::kArray:
      return Value(ArrayValue{STROM_TRY(decode_array(container, type.element(), bytes))});
    case TypeRoot::kMap:
      return decode_map(container, type, bytes);
    case TypeRoot::kRow:
      return Value(STROM_TRY(decode_row(container, type, bytes)));
    default:
      STROM_CHECK(false, "{} has a fixed width", type);
  }
}

}  // namespace strom::format
