#include "base/quantity.h"

#include <gtest/gtest.h>

namespace strom {
namespace {

// Every unit label, in any case and with spaces, gives the same duration as the upstream parser.
TEST(Quantity, ReadsDurations) {
  EXPECT_EQ(parse_duration("500ms").value(), Millis(500));
  EXPECT_EQ(parse_duration(" 10 min ").value(), Millis(600'000));
  EXPECT_EQ(parse_duration("10m").value(), Millis(600'000));
  EXPECT_EQ(parse_duration("7d").value(), Millis(604'800'000));
  EXPECT_EQ(parse_duration("1 Day").value(), Millis(86'400'000));
  EXPECT_EQ(parse_duration("2 hours").value(), Millis(7'200'000));
  EXPECT_EQ(parse_duration("1500 µs").value(), Millis(1));
  EXPECT_EQ(parse_duration("2000000ns").value(), Millis(2));
  EXPECT_EQ(parse_duration("0s").value(), Millis(0));
}

// What is no number with a unit is refused, and the message says what is expected.
TEST(Quantity, RefusesBadDurations) {
  for (std::string_view text : {"", "  ", "ms", "-5s", "5", "5 fortnights", "PT1H", "1.5s",
                                "99999999999999999999 s", "9223372036854775807 d"}) {
    Result<Millis> parsed = parse_duration(text);
    ASSERT_FALSE(parsed.ok()) << text;
    EXPECT_EQ(parsed.code(), ErrorCode::kInvalidConfig);
  }
  EXPECT_EQ(parse_duration("5").error().message,
            "'5' has no unit: expected a number and a unit (d, h, min, s, ms), such as '10 min' or '500ms'");
}

// Sizes are powers of 1024; overflow is an error, not a wrapped number.
TEST(Quantity, ReadsMemorySizes) {
  EXPECT_EQ(parse_memory_size("10mb").value(), 10 << 20);
  EXPECT_EQ(parse_memory_size("1g").value(), 1 << 30);
  EXPECT_EQ(parse_memory_size("4 KB").value(), 4096);
  EXPECT_EQ(parse_memory_size("1024m").value(), 1 << 30);
  EXPECT_EQ(parse_memory_size("17bytes").value(), 17);
  EXPECT_FALSE(parse_memory_size("17").ok());
  EXPECT_FALSE(parse_memory_size("1xb").ok());
  EXPECT_FALSE(parse_memory_size("9223372036854775807kb").ok());
}

// Printing picks the largest unit that is exact, so that what is printed reads back as the same value.
TEST(Quantity, PrintsWhatItReads) {
  EXPECT_EQ(format_duration(Millis(604'800'000)), "7 d");
  EXPECT_EQ(format_duration(Millis(90'000)), "90 s");
  EXPECT_EQ(format_duration(Millis(0)), "0 ms");
  EXPECT_EQ(format_memory_size(1 << 30), "1gb");
  EXPECT_EQ(format_memory_size(1500), "1500b");
  EXPECT_EQ(parse_duration(format_duration(Millis(3'600'001))).value(), Millis(3'600'001));
  EXPECT_EQ(parse_memory_size(format_memory_size(4096)).value(), 4096);
}

}  // namespace
}  // namespace strom
