// The rule for years after the last transition of a time zone file: a POSIX TZ text such as
// "CET-1CEST,M3.5.0,M10.5.0/3". Internal to src/model. Pure, any thread. Format: RFC 8536 section 3.3.1.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace strom::model {

class PosixTimeZone {
 public:
  // Nothing for a text of another form.
  static std::optional<PosixTimeZone> parse(std::string_view text);

  // Seconds to add to UTC.
  int32_t offset_at(int64_t epoch_seconds) const;

 private:
  // A day of the year and a local time on it, in seconds (may be negative or more than a day).
  struct Change {
    enum class Kind : uint8_t { kMonthWeekDay, kJulianWithoutLeapDay, kDayOfYear } kind = Kind::kDayOfYear;
    int32_t month = 0, week = 0, day = 0;
    int32_t time = 2 * 3600;
  };
  static std::optional<Change> parse_change(std::string_view& text);
  // Seconds since the epoch of the change in that year, as local time.
  static int64_t local_seconds(const Change& change, int32_t year);

  int32_t standard_offset_ = 0;
  int32_t summer_offset_ = 0;
  std::optional<Change> summer_start_, summer_end_;  // both or none
};

}  // namespace strom::model
