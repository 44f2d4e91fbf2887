#include "format/row/value.h"

#include <limits>

#include <gtest/gtest.h>

namespace strom::format {
namespace {

// Equality is by type and bits: what a codec returns is the same datum only if no type or sign was lost.
TEST(Value, EqualityIsExact) {
  EXPECT_EQ(Value(int32_t{5}), Value(int32_t{5}));
  EXPECT_FALSE(Value(int32_t{5}) == Value(int64_t{5}));
  EXPECT_FALSE(Value(0.0) == Value(-0.0));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(Value(nan), Value(nan));
  EXPECT_FALSE(Value("ab") == Value(Buffer{'a', 'b'}));
  EXPECT_EQ(Value(), Value(nullptr));
  EXPECT_FALSE(Value(ArrayValue{{int32_t{1}, nullptr}}) == Value(ArrayValue{{int32_t{1}}}));
  EXPECT_FALSE(Value(Decimal{10, 5, 1}) == Value(Decimal{10, 5, 2}));
}

// The debug text of every alternative, nested ones included.
TEST(Value, DebugText) {
  const RowValue row{{nullptr, true, int8_t{-2}, int64_t{7}, 1.5F, "a\"b\n", Buffer{9, 8},
                      Decimal{1234567, 10, 2}, Timestamp{1700000000123, 456789}, Timestamp{-1, 0},
                      ArrayValue{{int32_t{1}, nullptr}}, MapValue{{"k"}, {int64_t{11}}},
                      RowValue{{int32_t{42}}}}};
  EXPECT_EQ(debug_text(row),
            "(null, true, -2, 7, 1.5, \"a\\\"b\\u000a\", x'0908', 12345.67, 2023-11-14T22:13:20.123456789, "
            "1969-12-31T23:59:59.999000000, [1, null], {\"k\": 11}, (42))");
  EXPECT_EQ(debug_text(Value(Timestamp{std::numeric_limits<int64_t>::max(), 1})),
            "9223372036854775807 ms + 1 ns");
}

// Texts round trip through parse_decimal, at the limits of 38 digits too; what does not fit the type is
// refused.
TEST(Decimal, Text) {
  const std::string nines(38, '9');
  for (const auto& [text, precision, scale] : {std::tuple{std::string("-12345.67"), 10, 2},
                                               {"0.05", 3, 2},
                                               {"-0.00", 3, 2},
                                               {"0", 1, 0},
                                               {nines, 38, 0},
                                               {"-0." + nines, 38, 38}}) {
    const auto parsed = parse_decimal(text, precision, scale);
    ASSERT_TRUE(parsed.ok()) << text;
    EXPECT_EQ(to_text(*parsed), text == "-0.00" ? "0.00" : text);
  }
  EXPECT_EQ(parse_decimal("1.5", 10, 3)->unscaled, 1500);
  for (const auto* bad : {"", "-", "1.2.3", "1e5", "12345", "1.234", "999.9"})
    EXPECT_FALSE(parse_decimal(bad, 4, 2).ok()) << bad;
  EXPECT_FALSE(parse_decimal("1", 39, 0).ok());
}

// The byte form is Java's BigInteger.toByteArray: the shortest, with the sign in the first bit.
TEST(Decimal, BigEndian) {
  const Int128 max38 = parse_decimal(std::string(38, '9'), 38, 0)->unscaled;
  for (const auto& [value, hex] : {std::pair<Int128, std::string>{0, "00"},
                                   {127, "7f"},
                                   {128, "0080"},
                                   {-1, "ff"},
                                   {-128, "80"},
                                   {-129, "ff7f"},
                                   {max38, "4b3b4ca85a86c47a098a223fffffffff"},
                                   {-max38, "b4c4b357a5793b85f675ddc000000001"}}) {
    EXPECT_EQ(to_hex(to_big_endian(value)), hex);
    EXPECT_TRUE(*from_big_endian(from_hex(hex)) == value) << hex;
  }
  EXPECT_TRUE(*from_big_endian(from_hex("00000080")) == 128);
  EXPECT_FALSE(from_big_endian({}).ok());
  EXPECT_FALSE(from_big_endian(Buffer(17)).ok());
  EXPECT_TRUE(fits_precision(max38, 38));
  EXPECT_FALSE(fits_precision(max38, 37));
}

}  // namespace
}  // namespace strom::format
