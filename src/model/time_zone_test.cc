#include "model/time_zone.h"

#include <chrono>

#include <gtest/gtest.h>

#include "base/endian.h"
#include "model/posix_tz.h"

namespace strom::model {
namespace {

using namespace std::chrono;

int64_t utc(year_month_day day, int hour) {
  return duration_cast<seconds>((sys_days(day) + hours(hour)).time_since_epoch()).count();
}

// A zone file of version 2: an empty first block, then one change to +2h at `change`, then a rule for later
// years.
Buffer zone_file(int64_t change, std::string_view rule) {
  auto header = [](uint32_t transitions, uint32_t types, uint32_t name_bytes) {
    Buffer bytes(44);
    std::copy_n("TZif2", 5, bytes.begin());
    store_be<uint32_t>(bytes.data() + 32, transitions);
    store_be<uint32_t>(bytes.data() + 36, types);
    store_be<uint32_t>(bytes.data() + 40, name_bytes);
    return bytes;
  };
  Buffer file = header(0, 1, 1);
  append(file, Buffer(7));
  append(file, header(1, 2, 4));
  Buffer data(8 + 1 + 12 + 4);
  store_be<int64_t>(data.data(), change);
  data[8] = 1;
  store_be<int32_t>(data.data() + 9, 3600);
  store_be<int32_t>(data.data() + 15, 7200);
  append(file, data);
  append(file, as_bytes("\n" + std::string(rule) + "\n"));
  return file;
}

// Offsets in the forms that Java and people use.
TEST(TimeZone, FixedOffsets) {
  auto offset = [](std::string_view id) { return TimeZone::find(id).value().offset_at(0); };
  EXPECT_EQ(offset("UTC"), 0);
  EXPECT_EQ(offset("Z"), 0);
  EXPECT_EQ(offset("GMT+8"), 8 * 3600);
  EXPECT_EQ(offset("UTC-05:30"), -(5 * 3600 + 1800));
  EXPECT_EQ(offset("+0545"), 5 * 3600 + 45 * 60);
  EXPECT_EQ(offset("-11"), -11 * 3600);
}

// What names no zone is refused, never read as UTC; names can't leave the database's directory.
TEST(TimeZone, RefusesUnknownZones) {
  for (std::string_view id :
       {"", "Nowhere/Atall", "GMT+25", "GMT+8:99", "+", "../../../etc/passwd", "/etc/localtime"}) {
    EXPECT_EQ(TimeZone::find(id).code(), ErrorCode::kInvalidConfig) << id;
  }
}

// Before the first change the first type counts, then the file, then its rule.
TEST(TimeZone, ReadsZoneFiles) {
  int64_t change = utc(2020y / 6 / 1, 0);
  Buffer plain_file = zone_file(change, "");
  TimeZone plain = TimeZone::parse_tzif(plain_file, "x").value();
  EXPECT_EQ(plain.offset_at(change - 1), 3600);
  EXPECT_EQ(plain.offset_at(change), 7200);

  TimeZone ruled = TimeZone::parse_tzif(zone_file(change, "CET-1CEST,M3.5.0,M10.5.0/3"), "x").value();
  EXPECT_EQ(ruled.offset_at(change - 1), 3600);
  EXPECT_EQ(ruled.offset_at(utc(2050y / 1 / 1, 0)), 3600);
  EXPECT_EQ(ruled.offset_at(utc(2050y / 7 / 1, 0)), 7200);
}

// Files that are cut off anywhere are refused, or read within their bounds.
TEST(TimeZone, SurvivesBrokenFiles) {
  Buffer file = zone_file(0, "CET-1CEST,M3.5.0,M10.5.0/3");
  size_t complete = file.size() - std::string_view("\nCET-1CEST,M3.5.0,M10.5.0/3\n").size();
  for (size_t size = 0; size < complete; ++size) {
    EXPECT_FALSE(TimeZone::parse_tzif(ByteView(file).first(size), "x").ok()) << size;
  }
  EXPECT_TRUE(TimeZone::parse_tzif(ByteView(file).first(complete), "x").ok());
  file[51 + 32] = 0xff;  // a count far beyond the file
  EXPECT_FALSE(TimeZone::parse_tzif(file, "x").ok());
}

// Rules: weeks of months, last weeks, both hemispheres, negative and long times, numeric names, days of the
// year.
TEST(TimeZone, PosixRules) {
  auto berlin = PosixTimeZone::parse("CET-1CEST,M3.5.0,M10.5.0/3").value();
  EXPECT_EQ(berlin.offset_at(utc(2024y / 3 / 31, 1) - 1), 3600);
  EXPECT_EQ(berlin.offset_at(utc(2024y / 3 / 31, 1)), 7200);
  EXPECT_EQ(berlin.offset_at(utc(2024y / 10 / 27, 1) - 1), 7200);
  EXPECT_EQ(berlin.offset_at(utc(2024y / 10 / 27, 1)), 3600);

  auto new_york = PosixTimeZone::parse("EST5EDT,M3.2.0,M11.1.0").value();
  EXPECT_EQ(new_york.offset_at(utc(2024y / 3 / 10, 7) - 1), -5 * 3600);
  EXPECT_EQ(new_york.offset_at(utc(2024y / 3 / 10, 7)), -4 * 3600);

  auto sydney = PosixTimeZone::parse("AEST-10AEDT,M10.1.0,M4.1.0/3").value();
  EXPECT_EQ(sydney.offset_at(utc(2024y / 1 / 1, 0)), 11 * 3600);
  EXPECT_EQ(sydney.offset_at(utc(2024y / 7 / 1, 0)), 10 * 3600);

  EXPECT_EQ(PosixTimeZone::parse("<+0330>-3:30").value().offset_at(0), 3 * 3600 + 1800);
  auto israel = PosixTimeZone::parse("IST-2IDT,M3.4.4/26,M10.5.0").value();
  EXPECT_EQ(israel.offset_at(utc(2024y / 3 / 29, 0)), 3 * 3600);
  EXPECT_EQ(israel.offset_at(utc(2024y / 3 / 29, 0) - 1), 2 * 3600);
  auto days = PosixTimeZone::parse("AAA0BBB,J60/0,J300/0").value();
  EXPECT_EQ(days.offset_at(utc(2024y / 3 / 1, 0)), 3600);
  EXPECT_EQ(days.offset_at(utc(2024y / 2 / 29, 23)), 0);

  for (std::string_view text : {"", "A", "CET", "CET-1CEST", "CET-1CEST,M3.5.0", "CET-1CEST,M13.5.0,M10.5.0",
                                "CET-1CEST,M3.5.0,M10.5.0x", "<+03-3"}) {
    EXPECT_FALSE(PosixTimeZone::parse(text).has_value()) << text;
  }
}

}  // namespace
}  // namespace strom::model
