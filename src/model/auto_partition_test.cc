#include "model/auto_partition.h"

#include <chrono>

#include <gtest/gtest.h>

namespace strom::model {
namespace {

using namespace std::chrono;

Timestamp at(year_month_day day, int hour, int minute = 0) {
  auto instant = sys_days(day) + hours(hour) + minutes(minute);
  return Timestamp(duration_cast<milliseconds>(instant.time_since_epoch()).count());
}

std::string value(AutoPartitionUnit unit, Timestamp now, int32_t offset, const TimeZone& zone = {},
                  std::optional<std::string> format = std::nullopt) {
  return auto_partition_value({.unit = unit, .time_format = std::move(format)}, zone, now, offset);
}

// Each unit has its own format, and steps over the ends of months, quarters and years.
TEST(AutoPartition, ValuesOfEachUnit) {
  Timestamp now = at(2024y / 3 / 31, 23, 59);
  EXPECT_EQ(value(AutoPartitionUnit::kYear, now, 0), "2024");
  EXPECT_EQ(value(AutoPartitionUnit::kYear, now, -1), "2023");
  EXPECT_EQ(value(AutoPartitionUnit::kQuarter, now, 0), "20241");
  EXPECT_EQ(value(AutoPartitionUnit::kQuarter, now, -1), "20234");
  EXPECT_EQ(value(AutoPartitionUnit::kMonth, now, -1), "202402");
  EXPECT_EQ(value(AutoPartitionUnit::kMonth, now, 10), "202501");
  EXPECT_EQ(value(AutoPartitionUnit::kDay, now, 1), "20240401");
  EXPECT_EQ(value(AutoPartitionUnit::kDay, now, -31), "20240229");
  EXPECT_EQ(value(AutoPartitionUnit::kHour, now, 1), "2024040100");
  EXPECT_EQ(value(AutoPartitionUnit::kDay, Timestamp(-1), 0), "19691231");
  EXPECT_EQ(value(AutoPartitionUnit::kDay, now, 0, {}, "yyyy-MM-dd"), "2024-03-31");
  EXPECT_EQ(value(AutoPartitionUnit::kHour, now, 0, {}, "'h'uuuuLLdd''HH"), "h20240331'23");
}

// However far the options reach, values keep four digits for the year, so that they compare as text.
TEST(AutoPartition, FarOffsetsStayWithinFourDigits) {
  Timestamp now = at(2024y / 3 / 31, 12);
  for (AutoPartitionUnit unit :
       {AutoPartitionUnit::kYear, AutoPartitionUnit::kQuarter, AutoPartitionUnit::kMonth,
        AutoPartitionUnit::kDay, AutoPartitionUnit::kHour}) {
    EXPECT_EQ(value(unit, now, INT32_MIN).substr(0, 4), "0000");
    EXPECT_EQ(value(unit, now, INT32_MAX).substr(0, 4), "9999");
  }
}

// The zone decides which day an instant belongs to.
TEST(AutoPartition, ZonesMoveTheDay) {
  Timestamp now = at(2024y / 3 / 31, 23);
  EXPECT_EQ(value(AutoPartitionUnit::kDay, now, 0, TimeZone::find("GMT+8").value()), "20240401");
  EXPECT_EQ(value(AutoPartitionUnit::kHour, now, 0, TimeZone::find("-05:30").value()), "2024033117");
}

// A pattern must have the fields of the unit, at fixed width, and make valid partition values.
TEST(AutoPartition, FormatsMustFitTheUnit) {
  EXPECT_TRUE(validate_time_format("yyyy-MM-dd", AutoPartitionUnit::kDay).ok());
  EXPECT_TRUE(validate_time_format("uuuu'Q'q", AutoPartitionUnit::kQuarter).ok());
  for (std::string_view format : {"yyyyMM", "MMyyyydd", "yyMMdd", "yyyyMMdd HH", "yyyy/MM/dd", "yyyy[MM]dd",
                                  "yyyyMMdd'", "yyyyMMddEE", "'__'yyyyMMdd", ""}) {
    EXPECT_EQ(validate_time_format(format, AutoPartitionUnit::kDay).code(), ErrorCode::kInvalidTable)
        << format;
  }
}

// Values are read strictly: digits, ranges and nothing left over.
TEST(AutoPartition, ReadsValuesStrictly) {
  AutoPartitionOptions day;
  for (std::string_view good : {"20240229", "20240231", "00000101"})
    EXPECT_TRUE(is_partition_time(day, good)) << good;
  for (std::string_view bad :
       {"", "2024", "20241301", "20240001", "20240132", "2024010", "202401011", "2024-1-1"}) {
    EXPECT_FALSE(is_partition_time(day, bad)) << bad;
  }
  EXPECT_TRUE(is_partition_time({.time_format = "yyyy-MM-dd"}, "2024-12-31"));
  EXPECT_FALSE(is_partition_time({.time_format = "yyyy-MM-dd"}, "20241231"));
  EXPECT_TRUE(is_partition_time({.unit = AutoPartitionUnit::kQuarter}, "20244"));
  EXPECT_FALSE(is_partition_time({.unit = AutoPartitionUnit::kQuarter}, "20245"));
}

// A client may create partitions that are within retention; without auto partitioning only a given format
// counts.
TEST(AutoPartition, NewPartitionsMustBeWithinRetention) {
  Timestamp now = at(2024y / 3 / 10, 12);
  auto code = [&](const AutoPartitionOptions& options, std::string value) {
    ResolvedPartition partition{{"dt"}, {std::move(value)}};
    return validate_auto_partition_time(options, {}, partition, now).code();
  };
  AutoPartitionOptions options{.enabled = true};
  EXPECT_EQ(code(options, "20240303"), ErrorCode::kNone);
  EXPECT_EQ(code(options, "20240302"), ErrorCode::kPartitionSpecInvalid);
  EXPECT_EQ(code(options, "20991231"), ErrorCode::kNone);
  EXPECT_EQ(code(options, "today"), ErrorCode::kPartitionSpecInvalid);
  options.num_retention = -1;
  EXPECT_EQ(code(options, "19990101"), ErrorCode::kNone);
  EXPECT_EQ(code({}, "today"), ErrorCode::kNone);
  EXPECT_EQ(code({.time_format = "yyyy-MM-dd"}, "today"), ErrorCode::kPartitionSpecInvalid);
  EXPECT_EQ(code({.time_format = "yyyy-MM-dd"}, "1999-01-01"), ErrorCode::kNone);

  ResolvedPartition two{{"region", "dt"}, {"us", "20240310"}};
  EXPECT_EQ(validate_auto_partition_time({.enabled = true, .key = "dt"}, {}, two, now).code(),
            ErrorCode::kNone);
}

}  // namespace
}  // namespace strom::model
