#include "format/key/key_formats.h"
#include "format/row/byte_reader.h"
#include "format/row/payload.h"
#include "format/row/scalar.h"

namespace strom::format {

using model::DataType;
using model::TypeRoot;

namespace {

// Integers of all widths are eight bytes, so that a column may be widened without moving its rows.
Buffer eight_bytes(int64_t value) {
  Buffer bytes;
  put_fixed(bytes, value);
  return bytes;
}

// Wraps around like the Java encoder for times outside of the range of microseconds.
int64_t times_thousand(int64_t value) { return static_cast<int64_t>(static_cast<uint64_t>(value) * 1000); }

Result<Buffer> encode_value(const DataType& type, const Value& value) {
  switch (type.root) {
    case TypeRoot::kInteger:
    case TypeRoot::kDate:
      return eight_bytes(*STROM_TRY(expect<int32_t>(type, value)));
    case TypeRoot::kTime:
      return eight_bytes(times_thousand(*STROM_TRY(expect<int32_t>(type, value))));
    case TypeRoot::kBigInt:
      return eight_bytes(*STROM_TRY(expect<int64_t>(type, value)));
    case TypeRoot::kTimestamp: {
      const Timestamp timestamp = STROM_TRY(expect_timestamp(type, value));
      const auto micros = static_cast<uint64_t>(times_thousand(timestamp.millis)) +
                          static_cast<uint64_t>(timestamp.nanos_of_milli / 1000);
      return eight_bytes(static_cast<int64_t>(micros));
    }
    case TypeRoot::kFloat:
    case TypeRoot::kDouble: {
      Buffer bytes(scalar_size(type));
      STROM_TRY(store_scalar(bytes.data(), type, value));
      return bytes;
    }
    default:
      return encode_payload(RowFormat::kCompacted, type, value);  // text, bytes, decimals of all sizes
  }
}

}  // namespace

bool is_iceberg_key_type(const DataType& type) {
  switch (type.root) {
    case TypeRoot::kInteger:
    case TypeRoot::kDate:
    case TypeRoot::kTime:
    case TypeRoot::kBigInt:
    case TypeRoot::kFloat:
    case TypeRoot::kDouble:
    case TypeRoot::kTimestamp:
    case TypeRoot::kDecimal:
    case TypeRoot::kString:
    case TypeRoot::kChar:
    case TypeRoot::kBinary:
    case TypeRoot::kBytes:
      return true;
    default:
      return false;
  }
}

Result<Buffer> encode_iceberg_key(const model::DataField& field, const Value& value) {
  auto bytes = encode_value(field.type, value);
  if (!bytes.ok()) return in_field(field, bytes.error());
  return bytes;
}

}  // namespace strom::format
