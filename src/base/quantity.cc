#include "base/quantity.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <initializer_list>
#include <limits>
#include <span>

namespace strom {
namespace {

struct Unit {
  std::string_view label;
  int64_t factor;
};

constexpr int64_t kSecond = 1'000'000'000;
constexpr int64_t kMinute = 60 * kSecond;
constexpr int64_t kHour = 60 * kMinute;
constexpr int64_t kDay = 24 * kHour;

// In nanoseconds. The first label of each factor is the one that is printed.
constexpr auto kDurationUnits = std::to_array<Unit>({
    {"d", kDay},
    {"day", kDay},
    {"days", kDay},
    {"h", kHour},
    {"hour", kHour},
    {"hours", kHour},
    {"min", kMinute},
    {"m", kMinute},
    {"minute", kMinute},
    {"minutes", kMinute},
    {"s", kSecond},
    {"sec", kSecond},
    {"secs", kSecond},
    {"second", kSecond},
    {"seconds", kSecond},
    {"ms", 1'000'000},
    {"milli", 1'000'000},
    {"millis", 1'000'000},
    {"millisecond", 1'000'000},
    {"milliseconds", 1'000'000},
    {"µs", 1'000},
    {"micro", 1'000},
    {"micros", 1'000},
    {"microsecond", 1'000},
    {"microseconds", 1'000},
    {"ns", 1},
    {"nano", 1},
    {"nanos", 1},
    {"nanosecond", 1},
    {"nanoseconds", 1},
});

constexpr int64_t kKibi = 1024;
constexpr auto kMemoryUnits = std::to_array<Unit>({
    {"b", 1},
    {"bytes", 1},
    {"kb", kKibi},
    {"k", kKibi},
    {"kibibytes", kKibi},
    {"mb", kKibi* kKibi},
    {"m", kKibi* kKibi},
    {"mebibytes", kKibi* kKibi},
    {"gb", kKibi* kKibi* kKibi},
    {"g", kKibi* kKibi* kKibi},
    {"gibibytes", kKibi* kKibi* kKibi},
    {"tb", kKibi* kKibi* kKibi* kKibi},
    {"t", kKibi* kKibi* kKibi* kKibi},
    {"tebibytes", kKibi* kKibi* kKibi* kKibi},
});

constexpr std::string_view kDurationHelp =
    "a number and a unit (d, h, min, s, ms), such as '10 min' or '500ms'";
constexpr std::string_view kMemoryHelp = "a number and a unit (b, kb, mb, gb, tb), such as '10mb' or '1g'";

std::string_view trim(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n";
  size_t first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

std::string lower(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? char(c + 32) : c; });
  return result;
}

struct Quantity {
  int64_t number;
  int64_t factor;
};

Result<Quantity> parse(std::string_view text, std::span<const Unit> units, std::string_view help) {
  std::string_view rest = trim(text);
  size_t digits = std::min(rest.find_first_not_of("0123456789"), rest.size());
  int64_t number = 0;
  auto [end, failure] = std::from_chars(rest.data(), rest.data() + digits, number);
  if (failure == std::errc::result_out_of_range) {
    return make_error(ErrorCode::kInvalidConfig, "'{}' is too large a number: it must fit 64 bits", text);
  }
  if (digits == 0 || failure != std::errc{}) {
    return make_error(ErrorCode::kInvalidConfig, "'{}' does not start with a number: expected {}", text,
                      help);
  }
  std::string label = lower(trim(rest.substr(digits)));
  auto unit = std::ranges::find(units, label, &Unit::label);
  if (unit == units.end()) {
    return make_error(ErrorCode::kInvalidConfig, "'{}' has {}: expected {}", text,
                      label.empty() ? "no unit" : "an unknown unit", help);
  }
  return Quantity{number, unit->factor};
}

std::string format(int64_t value, std::span<const Unit> units, std::string_view separator) {
  // The largest factor that divides the value; among equal factors the first label.
  const Unit* best = nullptr;
  for (const Unit& unit : units) {
    if (value % unit.factor == 0 && (best == nullptr || unit.factor > best->factor)) best = &unit;
  }
  return fmt::format("{}{}{}", value / best->factor, separator, best->label);
}

}  // namespace

Result<Millis> parse_duration(std::string_view text) {
  Quantity quantity = STROM_TRY(parse(text, kDurationUnits, kDurationHelp));
  constexpr int64_t kMilli = 1'000'000;
  if (quantity.factor < kMilli) return Millis(quantity.number / (kMilli / quantity.factor));
  int64_t factor = quantity.factor / kMilli;
  if (quantity.number > std::numeric_limits<int64_t>::max() / factor) {
    return make_error(ErrorCode::kInvalidConfig, "'{}' is too long: milliseconds must fit 64 bits", text);
  }
  return Millis(quantity.number * factor);
}

std::string format_duration(Millis duration) {
  constexpr auto kUnits = std::to_array<Unit>({{"d", kDay / 1'000'000},
                                               {"h", kHour / 1'000'000},
                                               {"min", kMinute / 1'000'000},
                                               {"s", 1000},
                                               {"ms", 1}});
  if (duration.count() == 0) return "0 ms";
  return format(duration.count(), kUnits, " ");
}

Result<int64_t> parse_memory_size(std::string_view text) {
  Quantity quantity = STROM_TRY(parse(text, kMemoryUnits, kMemoryHelp));
  if (quantity.number > std::numeric_limits<int64_t>::max() / quantity.factor) {
    return make_error(ErrorCode::kInvalidConfig, "'{}' is too large: bytes must fit 64 bits", text);
  }
  return quantity.number * quantity.factor;
}

std::string format_memory_size(int64_t bytes) { return bytes == 0 ? "0b" : format(bytes, kMemoryUnits, ""); }

}  // namespace strom
