#include "format/row/value.h"

#include <bit>
#include <chrono>
#include <ostream>

#include <fmt/format.h>

namespace strom::format {
namespace {

std::string timestamp_text(const Timestamp& timestamp) {
  constexpr int64_t kDayMillis = 86'400'000;
  int64_t days = timestamp.millis / kDayMillis;
  int64_t millis_of_day = timestamp.millis % kDayMillis;
  if (millis_of_day < 0) {
    millis_of_day += kDayMillis;
    days -= 1;
  }
  // The calendar of <chrono> ends at the year 32767; beyond it the number itself says more than a wrong date.
  constexpr int64_t kLastDay = 11'000'000;
  if (days > kLastDay || days < -kLastDay)
    return fmt::format("{} ms + {} ns", timestamp.millis, timestamp.nanos_of_milli);

  const std::chrono::year_month_day date{std::chrono::sys_days{std::chrono::days{days}}};
  const int64_t seconds = millis_of_day / 1000;
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}{:06}", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()), seconds / 3600,
                     seconds / 60 % 60, seconds % 60, millis_of_day % 1000, timestamp.nanos_of_milli);
}

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (static_cast<unsigned char>(c) < 0x20) {
      out += fmt::format("\\u{:04x}", static_cast<unsigned char>(c));
    } else {
      out += c;
    }
  }
  return out + '"';
}

std::string list_text(const std::vector<Value>& values, char open, char close) {
  std::string out(1, open);
  for (size_t i = 0; i < values.size(); ++i) {
    if (i > 0) out += ", ";
    out += debug_text(values[i]);
  }
  return out + close;
}

struct DebugText {
  std::string operator()(Null) const { return "null"; }
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(int8_t value) const { return fmt::format("{}", static_cast<int>(value)); }
  std::string operator()(int16_t value) const { return fmt::format("{}", value); }
  std::string operator()(int32_t value) const { return fmt::format("{}", value); }
  std::string operator()(int64_t value) const { return fmt::format("{}", value); }
  std::string operator()(float value) const { return fmt::format("{}", value); }
  std::string operator()(double value) const { return fmt::format("{}", value); }
  std::string operator()(const std::string& value) const { return quoted(value); }
  std::string operator()(const Buffer& value) const { return fmt::format("x'{}'", to_hex(value)); }
  std::string operator()(const Decimal& value) const { return to_text(value); }
  std::string operator()(const Timestamp& value) const { return timestamp_text(value); }
  std::string operator()(const ArrayValue& value) const { return list_text(value.elements, '[', ']'); }
  std::string operator()(const RowValue& value) const { return list_text(value.fields, '(', ')'); }
  std::string operator()(const MapValue& value) const {
    std::string out = "{";
    for (size_t i = 0; i < value.keys.size() && i < value.values.size(); ++i) {
      if (i > 0) out += ", ";
      out += debug_text(value.keys[i]) + ": " + debug_text(value.values[i]);
    }
    return out + '}';
  }
};

}  // namespace

bool operator==(const ArrayValue& a, const ArrayValue& b) { return a.elements == b.elements; }
bool operator==(const MapValue& a, const MapValue& b) { return a.keys == b.keys && a.values == b.values; }
bool operator==(const RowValue& a, const RowValue& b) { return a.fields == b.fields; }

bool operator==(const Value& a, const Value& b) {
  if (a.data_.index() != b.data_.index()) return false;
  return std::visit(
      [&b]<class T>(const T& left) {
        const T& right = b.get<T>();
        if constexpr (std::is_same_v<T, float>) {
          return std::bit_cast<uint32_t>(left) == std::bit_cast<uint32_t>(right);
        } else if constexpr (std::is_same_v<T, double>) {
          return std::bit_cast<uint64_t>(left) == std::bit_cast<uint64_t>(right);
        } else {
          return left == right;
        }
      },
      a.data_);
}

std::string debug_text(const Value& value) { return std::visit(DebugText{}, value.data()); }
std::string debug_text(const RowValue& row) { return DebugText{}(row); }
std::ostream& operator<<(std::ostream& out, const Value& value) { return out << debug_text(value); }
std::ostream& operator<<(std::ostream& out, const RowValue& row) { return out << debug_text(row); }

}  // namespace strom::format
