#include "format/arrow/scalar.h"

#include <algorithm>
#include <limits>

#include "base/endian.h"
#include "format/arrow/layout.h"
#include "format/row/scalar.h"

namespace strom::format::arrow {
namespace {

using model::DataType;
using model::TypeRoot;

// Arrow's unit of a TIME or TIMESTAMP follows from the precision: second, milli-, micro-, nanosecond.
int64_t units_per_second(int32_t precision) {
  if (precision == 0) return 1;
  if (precision <= 3) return 1'000;
  return precision <= 6 ? 1'000'000 : 1'000'000'000;
}

Error out_of_range(const DataType& type, int64_t number) {
  return make_error(ErrorCode::kCorruptRecord, "{} is beyond what {} can hold in an Arrow batch", number,
                    type);
}

Status store_time(uint8_t* to, const DataType& type, const Value& value) {
  int64_t millis = *STROM_TRY(expect<int32_t>(type, value));
  int64_t units = units_per_second(type.precision);
  int64_t time = units >= 1'000 ? millis * (units / 1'000) : millis / 1'000;
  if (value_width(type) == 4) {
    store_le(to, static_cast<int32_t>(time));
  } else {
    store_le(to, time);
  }
  return {};
}

Result<Value> load_time(const uint8_t* from, const DataType& type) {
  int64_t time = value_width(type) == 4 ? load_le<int32_t>(from) : load_le<int64_t>(from);
  int64_t units = units_per_second(type.precision);
  int64_t millis = units >= 1'000 ? time / (units / 1'000) : time * 1'000;
  if (millis < std::numeric_limits<int32_t>::min() || millis > std::numeric_limits<int32_t>::max()) {
    return out_of_range(type, time);
  }
  return Value(static_cast<int32_t>(millis));
}

Status store_timestamp(uint8_t* to, const DataType& type, const Value& value) {
  const Timestamp timestamp = STROM_TRY(expect_timestamp(type, value));
  int64_t units = units_per_second(type.precision);
  int64_t time = timestamp.millis / 1'000;
  if (units >= 1'000) {
    int64_t per_milli = units / 1'000;
    int64_t rest = timestamp.nanos_of_milli / (1'000'000 / per_milli);
    if (__builtin_mul_overflow(timestamp.millis, per_milli, &time) ||
        __builtin_add_overflow(time, rest, &time)) {
      return out_of_range(type, timestamp.millis);
    }
  }
  store_le(to, time);
  return {};
}

Result<Value> load_timestamp(const uint8_t* from, const DataType& type) {
  int64_t time = load_le<int64_t>(from);
  int64_t units = units_per_second(type.precision);
  if (units == 1) {
    int64_t millis = 0;
    if (__builtin_mul_overflow(time, int64_t{1'000}, &millis)) return out_of_range(type, time);
    return Value(Timestamp{.millis = millis});
  }
  int64_t per_milli = units / 1'000;
  int64_t millis = time / per_milli;
  int64_t rest = time % per_milli;
  // Before 1970 the division rounds up; the rest of a Timestamp is never negative.
  if (rest < 0) {
    millis -= 1;
    rest += per_milli;
  }
  return Value(
      Timestamp{.millis = millis, .nanos_of_milli = static_cast<int32_t>(rest * (1'000'000 / per_milli))});
}

Status store_binary(uint8_t* to, const DataType& type, const Value& value) {
  const Buffer& bytes = *STROM_TRY(expect<Buffer>(type, value));
  size_t width = value_width(type);
  if (bytes.size() > width) {
    return make_error(ErrorCode::kCorruptRecord, "expected at most {} bytes for {}, found {}", width, type,
                      bytes.size());
  }
  std::fill(std::copy(bytes.begin(), bytes.end(), to), to + width, uint8_t{0});
  return {};
}

template <class T>
Status store(uint8_t* to, const DataType& type, const Value& value) {
  store_le(to, *STROM_TRY(expect<T>(type, value)));
  return {};
}

Result<Value> load_decimal(const uint8_t* from, const DataType& type) {
  Int128 unscaled = load_le<Int128>(from);
  if (!fits_precision(unscaled, type.precision)) {
    return make_error(ErrorCode::kCorruptRecord, "a decimal has more digits than {} allows", type);
  }
  return Value(Decimal{.unscaled = unscaled, .precision = type.precision, .scale = type.scale});
}

}  // namespace

Status store_fixed(uint8_t* to, const DataType& type, const Value& value) {
  switch (type.root) {
    case TypeRoot::kTinyInt:
      return store<int8_t>(to, type, value);
    case TypeRoot::kSmallInt:
      return store<int16_t>(to, type, value);
    case TypeRoot::kInteger:
    case TypeRoot::kDate:
      return store<int32_t>(to, type, value);
    case TypeRoot::kBigInt:
      return store<int64_t>(to, type, value);
    case TypeRoot::kFloat:
      return store<float>(to, type, value);
    case TypeRoot::kDouble:
      return store<double>(to, type, value);
    case TypeRoot::kDecimal:
      store_le(to, STROM_TRY(expect_decimal(type, value)));
      return {};
    case TypeRoot::kTime:
      return store_time(to, type, value);
    case TypeRoot::kTimestamp:
    case TypeRoot::kTimestampLtz:
      return store_timestamp(to, type, value);
    case TypeRoot::kBinary:
      return store_binary(to, type, value);
    default:
      STROM_CHECK(false, "{} has no fixed size", type);
  }
}

Result<Value> load_fixed(const uint8_t* from, const DataType& type) {
  switch (type.root) {
    case TypeRoot::kTinyInt:
      return Value(load_le<int8_t>(from));
    case TypeRoot::kSmallInt:
      return Value(load_le<int16_t>(from));
    case TypeRoot::kInteger:
    case TypeRoot::kDate:
      return Value(load_le<int32_t>(from));
    case TypeRoot::kBigInt:
      return Value(load_le<int64_t>(from));
    case TypeRoot::kFloat:
      return Value(load_le<float>(from));
    case TypeRoot::kDouble:
      return Value(load_le<double>(from));
    case TypeRoot::kDecimal:
      return load_decimal(from, type);
    case TypeRoot::kTime:
      return load_time(from, type);
    case TypeRoot::kTimestamp:
    case TypeRoot::kTimestampLtz:
      return load_timestamp(from, type);
    case TypeRoot::kBinary:
      return Value(Buffer(from, from + type.length));
    default:
      STROM_CHECK(false, "{} has no fixed size", type);
  }
}

}  // namespace strom::format::arrow
