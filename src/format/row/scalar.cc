#include "format/row/scalar.h"

#include "base/endian.h"

namespace strom::format {

using model::DataType;
using model::TypeRoot;

namespace {

template <class T>
Status store(uint8_t* to, const DataType& type, const Value& value) {
  store_le(to, *STROM_TRY(expect<T>(type, value)));
  return {};
}

}  // namespace

size_t scalar_size(const DataType& type) {
  switch (type.root) {
    case TypeRoot::kBoolean:
    case TypeRoot::kTinyInt:
      return 1;
    case TypeRoot::kSmallInt:
      return 2;
    case TypeRoot::kInteger:
    case TypeRoot::kDate:
    case TypeRoot::kTime:
    case TypeRoot::kFloat:
      return 4;
    case TypeRoot::kBigInt:
    case TypeRoot::kDouble:
      return 8;
    case TypeRoot::kDecimal:
      return is_compact_decimal(type) ? 8 : 0;
    case TypeRoot::kTimestamp:
    case TypeRoot::kTimestampLtz:
      return is_compact_timestamp(type) ? 8 : 0;
    default:
      return 0;
  }
}

Status store_scalar(uint8_t* to, const DataType& type, const Value& value) {
  switch (type.root) {
    case TypeRoot::kBoolean:
      *to = *STROM_TRY(expect<bool>(type, value)) ? 1 : 0;
      return {};
    case TypeRoot::kTinyInt:
      return store<int8_t>(to, type, value);
    case TypeRoot::kSmallInt:
      return store<int16_t>(to, type, value);
    case TypeRoot::kInteger:
    case TypeRoot::kDate:
    case TypeRoot::kTime:
      return store<int32_t>(to, type, value);
    case TypeRoot::kFloat:
      return store<float>(to, type, value);
    case TypeRoot::kBigInt:
      return store<int64_t>(to, type, value);
    case TypeRoot::kDouble:
      return store<double>(to, type, value);
    case TypeRoot::kDecimal:
      store_le(to, static_cast<int64_t>(STROM_TRY(expect_decimal(type, value))));
      return {};
    case TypeRoot::kTimestamp:
    case TypeRoot::kTimestampLtz:
      store_le(to, STROM_TRY(expect_timestamp(type, value)).millis);
      return {};
    default:
      STROM_CHECK(false, "{} is no scalar", type);
  }
}

Value load_scalar(const uint8_t* from, const DataType& type) {
  switch (type.root) {
    case TypeRoot::kBoolean:
      return *from != 0;
    case TypeRoot::kTinyInt:
      return load_le<int8_t>(from);
    case TypeRoot::kSmallInt:
      return load_le<int16_t>(from);
    case TypeRoot::kInteger:
    case TypeRoot::kDate:
    case TypeRoot::kTime:
      return load_le<int32_t>(from);
    case TypeRoot::kFloat:
      return load_le<float>(from);
    case TypeRoot::kBigInt:
      return load_le<int64_t>(from);
    case TypeRoot::kDouble:
      return load_le<double>(from);
    case TypeRoot::kDecimal:
      return Decimal{.unscaled = load_le<int64_t>(from), .precision = type.precision, .scale = type.scale};
    case TypeRoot::kTimestamp:
    case TypeRoot::kTimestampLtz:
      return Timestamp{.millis = load_le<int64_t>(from)};
    default:
      STROM_CHECK(false, "{} is no scalar", type);
  }
}

Error type_mismatch(const DataType& type, const Value& value) {
  std::string text = debug_text(value);
  constexpr size_t kShown = 80;
  if (text.size() > kShown) text = text.substr(0, kShown) + "...";
  return make_error(ErrorCode::kCorruptRecord, "expected a value of {}, found {}", type, text);
}

Result<Int128> expect_decimal(const DataType& type, const Value& value) {
  const Decimal& decimal = *STROM_TRY(expect<Decimal>(type, value));
  if (decimal.scale != type.scale || !fits_precision(decimal.unscaled, type.precision))
    return type_mismatch(type, value);
  return decimal.unscaled;
}

Result<Timestamp> make_timestamp(int64_t millis, int32_t nanos_of_milli) {
  if (nanos_of_milli < 0 || nanos_of_milli > 999'999) {
    return make_error(ErrorCode::kCorruptRecord,
                      "expected 0 to 999999 nanoseconds below the millisecond, found {}", nanos_of_milli);
  }
  return Timestamp{.millis = millis, .nanos_of_milli = nanos_of_milli};
}

Result<Timestamp> expect_timestamp(const DataType& type, const Value& value) {
  const Timestamp& timestamp = *STROM_TRY(expect<Timestamp>(type, value));
  return make_timestamp(timestamp.millis, timestamp.nanos_of_milli);
}

Error in_field(const model::DataField& field, const Error& error) {
  return make_error(error.code, "field {}: {}", field.name, error.message);
}

}  // namespace strom::format
