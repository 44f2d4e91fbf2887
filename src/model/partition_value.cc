// Typed values of partition columns as names.
#include <charconv>
#include <chrono>
#include <cmath>

#include <fmt/format.h>

#include "model/partition.h"

namespace strom::model {
namespace {

// The shortest decimal digits that read back as the value, and the exponent of the first of them.
struct Decimal {
  bool negative;
  std::string digits;
  int exponent;
};

template <class Float>
Decimal shortest_decimal(Float value) {
  char text[64];
  auto end = std::to_chars(text, text + sizeof(text), std::fabs(value), std::chars_format::scientific).ptr;
  // Java prints two digits at least and takes the best two: the smallest float, 1e-45, is 1.4E-45 there.
  if (text[1] == 'e') {
    end = std::to_chars(text, text + sizeof(text), std::fabs(value), std::chars_format::scientific, 1).ptr;
  }
  std::string_view printed(text, static_cast<size_t>(end - text));  // "1.2345e+10"
  size_t e = printed.find('e');
  Decimal decimal{std::signbit(value), {}, 0};
  for (char c : printed.substr(0, e)) {
    if (c != '.') decimal.digits += c;
  }
  if (decimal.digits.size() == 2 && decimal.digits[1] == '0') decimal.digits.pop_back();
  std::string_view exponent = printed.substr(e + 1);
  if (exponent.starts_with('+')) exponent.remove_prefix(1);
  std::from_chars(exponent.data(), exponent.data() + exponent.size(), decimal.exponent);
  return decimal;
}

// As Java prints a float or double, but with '_' for the point: "1_5", "100_0", "1_0E10", "1_5E-5".
template <class Float>
std::string print_float(Float value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "Inf" : "-Inf";
  Decimal decimal = shortest_decimal(value);
  std::string sign = decimal.negative ? "-" : "";
  if (value == 0) return sign + "0_0";
  std::string& digits = decimal.digits;
  auto or_zero = [](std::string text) { return text.empty() ? std::string("0") : text; };

  if (decimal.exponent < -3 || decimal.exponent >= 7) {
    return fmt::format("{}{}_{}E{}", sign, digits[0], or_zero(digits.substr(1)), decimal.exponent);
  }
  if (decimal.exponent < 0) {
    return fmt::format("{}0_{}{}", sign, std::string(static_cast<size_t>(-decimal.exponent - 1), '0'),
                       digits);
  }
  size_t whole = static_cast<size_t>(decimal.exponent) + 1;
  if (digits.size() < whole) digits.resize(whole, '0');
  return fmt::format("{}{}_{}", sign, digits.substr(0, whole), or_zero(digits.substr(whole)));
}

std::string print_date(std::chrono::sys_days day) {
  std::chrono::year_month_day date(day);
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                     static_cast<unsigned>(date.day()));
}

}  // namespace

std::string partition_value_of_bool(bool value) { return value ? "true" : "false"; }
std::string partition_value_of_bytes(ByteView value) { return to_hex(value); }
std::string partition_value_of_float(float value) { return print_float(value); }
std::string partition_value_of_double(double value) { return print_float(value); }

std::string partition_value_of_date(int32_t days) {
  return print_date(std::chrono::sys_days(std::chrono::days(days)));
}

std::string partition_value_of_time(int32_t millis) {
  std::chrono::hh_mm_ss time{std::chrono::milliseconds(millis)};
  return fmt::format("{:02}-{:02}-{:02}_{:03}", time.hours().count(), time.minutes().count(),
                     time.seconds().count(), time.subseconds().count());
}

std::string partition_value_of_timestamp(int64_t millis, int32_t nanos_of_millisecond) {
  std::chrono::sys_time<std::chrono::milliseconds> instant{std::chrono::milliseconds(millis)};
  auto day = std::chrono::floor<std::chrono::days>(instant);
  std::chrono::hh_mm_ss time(instant - day);
  std::string fraction = fmt::format("{:03}{:06}", time.subseconds().count(), nanos_of_millisecond);
  fraction.erase(fraction.find_last_not_of('0') + 1);
  return fmt::format("{}-{:02}-{:02}-{:02}_{}", print_date(day), time.hours().count(), time.minutes().count(),
                     time.seconds().count(), fraction);
}

}  // namespace strom::model
