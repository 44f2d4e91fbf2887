#include "model/posix_tz.h"

#include <algorithm>
#include <chrono>

namespace strom::model {
namespace {

bool take(std::string_view& text, char c) {
  if (!text.starts_with(c)) return false;
  text.remove_prefix(1);
  return true;
}

// 1 to 3 digits; more are no valid number in this format.
std::optional<int32_t> take_number(std::string_view& text) {
  int32_t value = 0;
  size_t digits = 0;
  for (; digits < text.size() && digits < 4 && text[digits] >= '0' && text[digits] <= '9'; ++digits) {
    value = value * 10 + (text[digits] - '0');
  }
  if (digits == 0 || digits == 4) return std::nullopt;
  text.remove_prefix(digits);
  return value;
}

// "CET" or "<+03>".
bool skip_name(std::string_view& text) {
  size_t length = 0;
  if (text.starts_with('<')) {
    length = text.find('>');
    if (length == std::string_view::npos) return false;
    ++length;
  } else {
    auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
    length = static_cast<size_t>(std::ranges::find_if_not(text, is_letter) - text.begin());
  }
  text.remove_prefix(length);
  return length >= 3;
}

// "[+-]h[h][h][:mm[:ss]]" in seconds.
std::optional<int32_t> take_time(std::string_view& text) {
  int32_t sign = take(text, '-') ? -1 : 1;
  if (sign == 1) take(text, '+');
  auto hours = take_number(text);
  if (!hours) return std::nullopt;
  int32_t seconds = *hours * 3600;
  for (int32_t factor : {60, 1}) {
    if (!take(text, ':')) break;
    auto part = take_number(text);
    if (!part) return std::nullopt;
    seconds += *part * factor;
  }
  return sign * seconds;
}

}  // namespace

// "M3.5.0[/time]": the fifth (or last) Sunday of March; "J60[/time]": day 60, never counting 29 February;
// "59[/time]".
std::optional<PosixTimeZone::Change> PosixTimeZone::parse_change(std::string_view& text) {
  Change change;
  bool complete = true;
  auto number = [&](int32_t low, int32_t high) {
    auto value = take_number(text);
    complete = complete && value && *value >= low && *value <= high;
    return value.value_or(low);
  };
  if (take(text, 'M')) {
    change.kind = Change::Kind::kMonthWeekDay;
    change.month = number(1, 12);
    complete = take(text, '.') && complete;
    change.week = number(1, 5);
    complete = take(text, '.') && complete;
    change.day = number(0, 6);
  } else if (take(text, 'J')) {
    change.kind = Change::Kind::kJulianWithoutLeapDay;
    change.day = number(1, 365);
  } else {
    change.kind = Change::Kind::kDayOfYear;
    change.day = number(0, 365);
  }
  if (!complete) return std::nullopt;
  if (take(text, '/')) {
    auto time = take_time(text);
    if (!time) return std::nullopt;
    change.time = *time;
  }
  return change;
}

std::optional<PosixTimeZone> PosixTimeZone::parse(std::string_view text) {
  PosixTimeZone zone;
  if (!skip_name(text)) return std::nullopt;
  auto west = take_time(text);  // POSIX counts west of Greenwich
  if (!west) return std::nullopt;
  zone.standard_offset_ = -*west;
  if (text.empty()) return zone;

  if (!skip_name(text)) return std::nullopt;
  zone.summer_offset_ = zone.standard_offset_ + 3600;
  if (!text.starts_with(',')) {
    auto summer_west = take_time(text);
    if (!summer_west) return std::nullopt;
    zone.summer_offset_ = -*summer_west;
  }
  if (!take(text, ',') || !(zone.summer_start_ = parse_change(text))) return std::nullopt;
  if (!take(text, ',') || !(zone.summer_end_ = parse_change(text))) return std::nullopt;
  return text.empty() ? std::optional(zone) : std::nullopt;
}

int64_t PosixTimeZone::local_seconds(const Change& change, int32_t year_number) {
  using namespace std::chrono;
  year year(year_number);
  sys_days day;
  switch (change.kind) {
    case Change::Kind::kMonthWeekDay: {
      month month(static_cast<unsigned>(change.month));
      weekday weekday(static_cast<unsigned>(change.day));
      day = change.week == 5 ? sys_days(year / month / weekday[last])
                             : sys_days(year / month / weekday[static_cast<unsigned>(change.week)]);
      break;
    }
    case Change::Kind::kJulianWithoutLeapDay: {
      bool after_leap_day = year.is_leap() && change.day >= 60;
      day = sys_days(year / January / 1) + days(change.day - 1 + (after_leap_day ? 1 : 0));
      break;
    }
    case Change::Kind::kDayOfYear:
      day = sys_days(year / January / 1) + days(change.day);
      break;
  }
  return seconds(day.time_since_epoch()).count() + change.time;
}

int32_t PosixTimeZone::offset_at(int64_t epoch_seconds) const {
  if (!summer_start_) return standard_offset_;
  using namespace std::chrono;
  sys_seconds local{seconds(epoch_seconds + standard_offset_)};
  int32_t year = static_cast<int>(year_month_day(floor<days>(local)).year());
  int64_t start = local_seconds(*summer_start_, year) - standard_offset_;
  int64_t end = local_seconds(*summer_end_, year) - summer_offset_;
  // In the south summer spans the turn of the year.
  bool summer = start < end ? epoch_seconds >= start && epoch_seconds < end
                            : epoch_seconds >= start || epoch_seconds < end;
  return summer ? summer_offset_ : standard_offset_;
}

}  // namespace strom::model
