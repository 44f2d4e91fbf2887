#include "model/auto_partition.h"

#include <algorithm>
#include <array>
#include <chrono>

#include <fmt/ranges.h>

#include "base/check.h"

namespace strom::model {
namespace {

enum class Field : uint8_t { kYear, kQuarter, kMonth, kDay, kHour };

struct FieldRule {
  std::string_view name;
  size_t width;
  int32_t low, high;
};
constexpr std::array<FieldRule, 5> kFields = {
    {{"year", 4, 0, 9999}, {"quarter", 1, 1, 4}, {"month", 2, 1, 12}, {"day", 2, 1, 31}, {"hour", 2, 0, 23}}};

const FieldRule& rule(Field field) { return kFields[static_cast<size_t>(field)]; }

struct UnitRule {
  std::string_view name, format;
  std::array<Field, 4> fields;
  size_t field_count;
};
constexpr std::array<UnitRule, 5> kUnits = {
    {{"YEAR", "yyyy", {Field::kYear}, 1},
     {"QUARTER", "yyyyQ", {Field::kYear, Field::kQuarter}, 2},
     {"MONTH", "yyyyMM", {Field::kYear, Field::kMonth}, 2},
     {"DAY", "yyyyMMdd", {Field::kYear, Field::kMonth, Field::kDay}, 3},
     {"HOUR", "yyyyMMddHH", {Field::kYear, Field::kMonth, Field::kDay, Field::kHour}, 4}}};

const UnitRule& rule(AutoPartitionUnit unit) { return kUnits[static_cast<size_t>(unit)]; }

std::optional<Field> field_of(char c) {
  switch (c) {
    case 'y':
    case 'u':
      return Field::kYear;
    case 'Q':
    case 'q':
      return Field::kQuarter;
    case 'M':
    case 'L':
      return Field::kMonth;
    case 'd':
      return Field::kDay;
    case 'H':
      return Field::kHour;
    default:
      return std::nullopt;
  }
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// A pattern taken apart: a run of one letter (a time field), or literal text.
struct Token {
  char letter = 0;  // 0: literal
  size_t width = 0;
  std::string literal;
};

constexpr ErrorCode kCode = ErrorCode::kInvalidTable;

// Text in single quotes is literal, two quotes are one quote, and anything that is no letter stands for
// itself.
Result<std::vector<Token>> tokenize(std::string_view format) {
  std::vector<Token> tokens;
  bool quoted = false;
  auto literal = [&](char c) {
    if (tokens.empty() || tokens.back().letter != 0) tokens.push_back({});
    tokens.back().literal += c;
  };
  for (size_t i = 0; i < format.size(); ++i) {
    char c = format[i];
    if (c == '\'') {
      bool escaped = i + 1 < format.size() && format[i + 1] == '\'';
      if (escaped) literal(format[++i]);
      if (!escaped) quoted = !quoted;
    } else if (quoted) {
      literal(c);
    } else if (std::string_view("[]{}#").contains(c)) {
      return make_error(kCode, "time format '{}' must not contain '{}'", format, c);
    } else if (!is_letter(c)) {
      literal(c);
    } else if (!tokens.empty() && tokens.back().letter == c) {
      ++tokens.back().width;
    } else {
      tokens.push_back({.letter = c, .width = 1, .literal = {}});
    }
  }
  if (quoted) return make_error(kCode, "time format '{}' has a quote that is not closed", format);
  return tokens;
}

struct LocalTime {
  std::chrono::sys_days day;
  int32_t hour;
};

int32_t value_of(Field field, const LocalTime& time) {
  std::chrono::year_month_day date(time.day);
  auto month = static_cast<int32_t>(static_cast<unsigned>(date.month()));
  switch (field) {
    case Field::kYear:
      return static_cast<int>(date.year());
    case Field::kQuarter:
      return (month - 1) / 3 + 1;
    case Field::kMonth:
      return month;
    case Field::kDay:
      return static_cast<int32_t>(static_cast<unsigned>(date.day()));
    case Field::kHour:
      break;
  }
  return time.hour;
}

std::string print(const std::vector<Token>& tokens, const LocalTime& time) {
  std::string text;
  for (const Token& token : tokens) {
    if (token.letter == 0) {
      text += token.literal;
    } else if (auto field = field_of(token.letter)) {
      text += fmt::format("{:0{}}", value_of(*field, time), token.width);
    }
  }
  return text;
}

// Years of four digits: whatever number of units an option asks for, the value keeps its width and its order.
std::chrono::sys_days within_years(std::chrono::sys_days day) {
  using namespace std::chrono_literals;
  return std::clamp(day, std::chrono::sys_days(0y / 1 / 1), std::chrono::sys_days(9999y / 12 / 31));
}

LocalTime local_time(const TimeZone& zone, int64_t epoch_seconds) {
  using namespace std::chrono;
  sys_seconds local{seconds(epoch_seconds + zone.offset_at(epoch_seconds))};
  sys_days day = floor<days>(local);
  return {within_years(day), static_cast<int32_t>(duration_cast<hours>(local - day).count())};
}

// Whole units on the calendar; only hours are counted on the time line, so that a change of the clocks is no
// gap.
LocalTime moved(const LocalTime& time, AutoPartitionUnit unit, int32_t offset) {
  using namespace std::chrono;
  if (unit == AutoPartitionUnit::kDay) return {within_years(time.day + days(offset)), time.hour};
  int64_t per_unit = unit == AutoPartitionUnit::kYear ? 12 : unit == AutoPartitionUnit::kQuarter ? 3 : 1;
  year_month_day date(time.day);
  int64_t months_since_0 =
      int64_t{static_cast<int>(date.year())} * 12 + static_cast<unsigned>(date.month()) - 1;
  int64_t target = std::clamp<int64_t>(months_since_0 + offset * per_unit, 0, 9999 * 12 + 11);
  return {sys_days(year(static_cast<int>(target / 12)) / month(static_cast<unsigned>(target % 12 + 1)) / 1),
          time.hour};
}

}  // namespace

std::string_view to_string(AutoPartitionUnit unit) { return rule(unit).name; }

std::string_view AutoPartitionOptions::format() const {
  return time_format ? std::string_view(*time_format) : rule(unit).format;
}

const std::string& AutoPartitionOptions::time_key(const std::vector<std::string>& partition_keys) const {
  STROM_CHECK(key || !partition_keys.empty());
  return key ? *key : partition_keys[0];
}

Result<TimeZone> AutoPartitionOptions::zone() const {
  if (!time_zone) return TimeZone::of_machine();
  return TimeZone::find(*time_zone);
}

std::string auto_partition_value(const AutoPartitionOptions& options, const TimeZone& zone, Timestamp now,
                                 int32_t offset) {
  int64_t seconds = now.value / 1000 - (now.value % 1000 < 0 ? 1 : 0);
  LocalTime time;
  if (options.unit == AutoPartitionUnit::kHour) {
    time = local_time(zone, seconds + int64_t{offset} * 3600);
  } else {
    time = moved(local_time(zone, seconds), options.unit, offset);
  }
  Result<std::vector<Token>> tokens = tokenize(options.format());
  return tokens.ok() ? print(*tokens, time) : std::string();
}

bool is_partition_time(const AutoPartitionOptions& options, std::string_view value) {
  Result<std::vector<Token>> tokens = tokenize(options.format());
  if (!tokens.ok()) return false;
  for (const Token& token : *tokens) {
    if (token.letter == 0) {
      if (!value.starts_with(token.literal)) return false;
      value.remove_prefix(token.literal.size());
      continue;
    }
    auto field = field_of(token.letter);
    if (!field || value.size() < token.width) return false;
    int32_t number = 0;
    for (char c : value.substr(0, token.width)) {
      if (c < '0' || c > '9') return false;
      number = number * 10 + (c - '0');
    }
    if (number < rule(*field).low || number > rule(*field).high) return false;
    value.remove_prefix(token.width);
  }
  return value.empty();
}

Status validate_time_format(std::string_view format, AutoPartitionUnit unit) {
  std::vector<Token> tokens = STROM_TRY(tokenize(format));
  std::vector<std::string_view> expected, found;
  for (size_t i = 0; i < rule(unit).field_count; ++i) expected.push_back(rule(rule(unit).fields[i]).name);
  for (const Token& token : tokens) {
    if (token.letter == 0) continue;
    auto field = field_of(token.letter);
    if (!field)
      return make_error(kCode, "time format '{}' has the unsupported field '{}'", format, token.letter);
    if (token.width != rule(*field).width) {
      return make_error(kCode, "the {} in time format '{}' must have {} letters, found {}", rule(*field).name,
                        format, rule(*field).width, token.width);
    }
    found.push_back(rule(*field).name);
  }
  if (found != expected) {
    return make_error(kCode, "time format '{}' must have the fields {} in this order for unit {}, found {}",
                      format, fmt::join(expected, ", "), to_string(unit), fmt::join(found, ", "));
  }
  std::string sample = print(tokens, {std::chrono::sys_days(std::chrono::days(20'000)), 11});
  if (auto reason = invalid_new_name_reason(sample)) {
    return make_error(kCode, "time format '{}' makes the invalid partition value '{}': {}", format, sample,
                      *reason);
  }
  return {};
}

Status validate_auto_partition_time(const AutoPartitionOptions& options, const TimeZone& zone,
                                    const ResolvedPartition& partition, Timestamp now) {
  if (!options.enabled && !options.time_format) return {};
  const std::string* value = partition.find(options.time_key(partition.keys));
  if (value == nullptr || !is_partition_time(options, *value)) {
    return make_error(ErrorCode::kPartitionSpecInvalid,
                      "partition value '{}' does not have the format '{}' of time unit {}",
                      value == nullptr ? "" : *value, options.format(), to_string(options.unit));
  }
  if (!options.enabled || options.num_retention < 0) return {};
  std::string oldest = auto_partition_value(options, zone, now, -options.num_retention);
  if (*value < oldest) {
    return make_error(ErrorCode::kPartitionSpecInvalid,
                      "partition value '{}' is out of date: the oldest partition that is kept is '{}'",
                      *value, oldest);
  }
  return {};
}

}  // namespace strom::model
