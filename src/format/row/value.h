// Value: one datum of any Fluss type, without its type. The form in which readers and writers of rows, keys
// and Arrow batches exchange data with tests, the command line and the C++ client. Log tables never decode
// into it on the server. Any thread. Upstream counterparts: row/GenericRow, GenericArray, GenericMap,
// Decimal, TimestampNtz, TimestampLtz.
//
//   BOOLEAN bool           TINYINT int8_t         SMALLINT int16_t       INTEGER int32_t      BIGINT int64_t
//   FLOAT float            DOUBLE double          CHAR, STRING std::string (UTF-8)            BINARY, BYTES
//   Buffer DECIMAL Decimal        DATE int32_t: days since 1970-01-01           TIME int32_t: milliseconds of
//   the day TIMESTAMP, TIMESTAMP_LTZ Timestamp            ARRAY ArrayValue       MAP MapValue         ROW
//   RowValue
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "base/bytes.h"
#include "format/row/decimal.h"

namespace strom::format {

class Value;

struct Null {
  friend bool operator==(Null, Null) = default;
};

// Milliseconds since 1970-01-01T00:00:00 (UTC for TIMESTAMP_LTZ, wall clock for TIMESTAMP) and the rest below
// one millisecond: 0 <= nanos_of_milli <= 999,999.
struct Timestamp {
  int64_t millis = 0;
  int32_t nanos_of_milli = 0;

  friend bool operator==(const Timestamp&, const Timestamp&) = default;
};

struct ArrayValue {
  std::vector<Value> elements;
};
// Entries in the order of writing; keys[i] belongs to values[i]. Formats keep the order and do not look for
// duplicates.
struct MapValue {
  std::vector<Value> keys;
  std::vector<Value> values;
};
struct RowValue {
  std::vector<Value> fields;
};

namespace internal {
template <class Variant, class T>
inline constexpr bool kIsAlternative = false;
template <class T, class... Ts>
inline constexpr bool kIsAlternative<std::variant<Ts...>, T> = (std::is_same_v<T, Ts> || ...);
}  // namespace internal

class Value {
 public:
  using Data = std::variant<Null, bool, int8_t, int16_t, int32_t, int64_t, float, double, std::string, Buffer,
                            Decimal, Timestamp, ArrayValue, MapValue, RowValue>;

  Value() = default;  // null
  // Exactly one of the types above: no conversion from a wider integer or from a pointer to char happens
  // silently.
  template <class T>
    requires internal::kIsAlternative<Data, std::remove_cvref_t<T>>
  Value(T&& data)
      : data_(std::in_place_type<std::remove_cvref_t<T>>, std::forward<T>(data)) {}  // NOLINT: implicit
  Value(const char* text) : data_(std::string(text)) {}                              // NOLINT: implicit
  Value(std::nullptr_t) {}                                                           // NOLINT: implicit

  bool is_null() const { return std::holds_alternative<Null>(data_); }
  template <class T>
  bool is() const {
    return std::holds_alternative<T>(data_);
  }
  // The datum, or nullptr when it is of another type.
  template <class T>
  const T* get_if() const {
    return std::get_if<T>(&data_);
  }
  // The datum; the caller knows its type (an invariant: std::get throws otherwise).
  template <class T>
  const T& get() const {
    return std::get<T>(data_);
  }
  template <class T>
  T& get() {
    return std::get<T>(data_);
  }
  const Data& data() const { return data_; }

  // Floating point numbers are compared by their bits: a NaN equals itself, -0.0 differs from 0.0.
  friend bool operator==(const Value& a, const Value& b);

 private:
  Data data_;
};

bool operator==(const ArrayValue& a, const ArrayValue& b);
bool operator==(const MapValue& a, const MapValue& b);
bool operator==(const RowValue& a, const RowValue& b);

// For people: null, true, -5, "text", x'0908', 12345.67, 2023-11-14T22:13:20.123456, [1, null], {"k": 11},
// (42, "y"). DATE and TIME print as their numbers, because a Value does not know its type.
std::string debug_text(const Value& value);
std::string debug_text(const RowValue& row);
std::ostream& operator<<(std::ostream& out, const Value& value);
std::ostream& operator<<(std::ostream& out, const RowValue& row);

}  // namespace strom::format
