#include "format/row/row_codec.h"

#include <limits>

#include <gtest/gtest.h>

#include "base/endian.h"

namespace strom::format {
namespace {

using model::DataField;
using model::DataType;

constexpr RowFormat kFormats[] = {RowFormat::kCompacted, RowFormat::kIndexed, RowFormat::kAligned};

// A row type with one column of each type, and the bytes that the Java encoders write for its row.
DataType scalar_row_type() {
  return DataType::row({{"bo", DataType::boolean()},
                        {"ti", DataType::tiny_int()},
                        {"si", DataType::small_int()},
                        {"i", DataType::integer()},
                        {"bi", DataType::big_int()},
                        {"f", DataType::float32()},
                        {"d", DataType::float64()},
                        {"c4", DataType::character(4)},
                        {"s", DataType::string()},
                        {"b3", DataType::binary(3)},
                        {"by", DataType::bytes()},
                        {"d10", DataType::decimal(10, 2)},
                        {"d25", DataType::decimal(25, 3)},
                        {"da", DataType::date()},
                        {"tm", DataType::time(3)},
                        {"t3", DataType::timestamp(3)},
                        {"t6", DataType::timestamp(6)},
                        {"l9", DataType::timestamp_ltz(9)},
                        {"nul", DataType::integer()}});
}
RowValue scalar_row() {
  return {{true, int8_t{-2}, int16_t{300}, int32_t{-5}, int64_t{1234567890123}, 1.5F, -2.25, "ab  ",
           "h\u00e9llo, world", Buffer{1, 2, 3}, Buffer{9, 8}, Decimal{1234567, 10, 2},
           *parse_decimal("-1234567890123456789.125", 25, 3), int32_t{19000}, int32_t{45296789},
           Timestamp{1700000000123, 0}, Timestamp{1700000000123, 456000}, Timestamp{1700000000123, 456789},
           nullptr}};
}
const char* scalar_row_hex(RowFormat format) {
  switch (format) {
    case RowFormat::kCompacted:
      return "00000401fe2c01fbffffff0fcb89ec8ff7230000c03f00000000000002c004616220200d68c3a96c6c6f2c20776f726"
             "c64030102"
             "0302090887ad4b09bd12edc4f427dfc57bb8940195d9cc15fbd095ffbc31fbd095ffbc31c0ea1bfbd095ffbc31d5f01"
             "b";
    case RowFormat::kIndexed:
      return "0000040d000000020000000900000001fe2c01fbffffffcb04fb711f0100000000c03f00000000000002c0616220206"
             "8c3a96c6c6f"
             "2c20776f726c64010203090887d6120000000000bd12edc4f427dfc57b384a0000952cb3027b68e5cf8b0100007b68e"
             "5cf8b010000"
             "40f506007b68e5cf8b01000055f80600";
    case RowFormat::kAligned:
      return "00000004000000000100000000000000fe000000000000002c01000000000000fbffffff00000000cb04fb711f01000"
             "00000c03f00"
             "00000000000000000002c061622020000000840d000000a00000000102030000000083090800000000008287d612000"
             "00000000900"
             "0000b0000000384a000000000000952cb302000000007b68e5cf8b01000040f50600c000000055f80600c8000000000"
             "00000000000"
             "0068c3a96c6c6f2c20776f726c64000000bd12edc4f427dfc57b000000000000007b68e5cf8b0100007b68e5cf8b010"
             "000";
  }
  return "";
}

DataType nested_row_type() {
  return DataType::row({{"a", DataType::array(DataType::integer())},
                        {"m", DataType::map(DataType::string().not_null(), DataType::big_int())},
                        {"r", DataType::row({{"x", DataType::integer()}, {"y", DataType::string()}})}});
}
RowValue nested_row() {
  return {{ArrayValue{{int32_t{1}, nullptr, int32_t{3}}}, MapValue{{"k1"}, {int64_t{11}}},
           RowValue{{int32_t{42}, "longer than seven"}}}};
}

void expect_bytes(RowFormat format, const DataType& type, const RowValue& row, const std::string& hex) {
  const auto encoded = encode_row(format, type, row);
  ASSERT_TRUE(encoded.ok()) << encoded.error().message;
  EXPECT_EQ(to_hex(*encoded), hex);
  const auto decoded = decode_row(format, type, from_hex(hex));
  ASSERT_TRUE(decoded.ok()) << decoded.error().message;
  EXPECT_EQ(*decoded, row);
}

// Each type that is not nested, in each format, has the bytes of the Java encoders and comes back from them.
TEST(RowCodec, ScalarsAsJavaWritesThem) {
  for (const RowFormat format : kFormats)
    expect_bytes(format, scalar_row_type(), scalar_row(), scalar_row_hex(format));
}

// INDEXED fills its list of lengths without gaps: a null takes no entry, and the unused one at the end stays
// zero.
TEST(RowCodec, DenseLengths) {
  const DataType type = DataType::row({{"a", DataType::integer()},
                                       {"b", DataType::string()},
                                       {"c", DataType::bytes()},
                                       {"d", DataType::string()}});
  const RowValue row{{int32_t{7}, nullptr, Buffer{5}, "xyz"}};
  expect_bytes(RowFormat::kIndexed, type, row, "02010000000300000000000000070000000578797a");
  expect_bytes(RowFormat::kCompacted, type, row, "020701050378797a");
}

// Arrays and maps look alike in all formats; a row in a row takes the format of the outer one.
TEST(RowCodec, NestedAsJavaWritesThem) {
  expect_bytes(RowFormat::kCompacted, nested_row_type(), nested_row(),
               "0018030000000200000001000000000000000300000000000000241000000001000000000000006b3100000000008"
               "20100000000"
               "0000000b0000000000000014002a116c6f6e676572207468616e20736576656e");
  expect_bytes(
      RowFormat::kIndexed, nested_row_type(), nested_row(),
      "0018000000240000001a0000000300000002000000010000000000000003000000000000001000000001000000000000006b31"
      "00"
      "000000008201000000000000000b0000000000000000110000002a0000006c6f6e676572207468616e20736576656e");
  const auto aligned = encode_row(RowFormat::kAligned, nested_row_type(), nested_row());
  ASSERT_TRUE(aligned.ok());
  EXPECT_EQ(*decode_row(RowFormat::kAligned, nested_row_type(), *aligned), nested_row());
}

// Extremes and empties survive a round trip in each format: what lies at the edge of varints, inlining,
// signs.
TEST(RowCodec, Extremes) {
  const DataType type =
      DataType::row({{"i", DataType::integer()},
                     {"l", DataType::big_int()},
                     {"s", DataType::string()},
                     {"b", DataType::bytes()},
                     {"d", DataType::decimal(38, 0)},
                     {"t", DataType::timestamp(9)},
                     {"a", DataType::array(DataType::array(DataType::decimal(38, 2)))},
                     {"m", DataType::map(DataType::timestamp(6).not_null(), DataType::string())},
                     {"f", DataType::float64()}});
  const Decimal big = *parse_decimal("-" + std::string(38, '9'), 38, 0);
  const Decimal cents = *parse_decimal("-0.01", 38, 2);
  const RowValue rows[] = {
      {{std::numeric_limits<int32_t>::min(), std::numeric_limits<int64_t>::min(), "", Buffer{}, big,
        Timestamp{std::numeric_limits<int64_t>::min(), 999'999}, ArrayValue{}, MapValue{},
        std::numeric_limits<double>::quiet_NaN()}},
      {{std::numeric_limits<int32_t>::max(), std::numeric_limits<int64_t>::max(), "1234567", Buffer(7, 0xff),
        Decimal{0, 38, 0}, Timestamp{-1, 1},
        ArrayValue{{ArrayValue{}, nullptr, ArrayValue{{cents, nullptr, cents}}}},
        MapValue{{Timestamp{1, 2}, Timestamp{3, 4}}, {nullptr, "12345678"}}, -0.0}},
      {{int32_t{127}, int64_t{128}, "12345678", Buffer(8, 0), Decimal{-1, 38, 0}, Timestamp{0, 0},
        ArrayValue{std::vector<Value>(33)}, MapValue{{Timestamp{}}, {""}},
        std::numeric_limits<double>::infinity()}},
      {std::vector<Value>(9)},
  };
  for (const RowFormat format : kFormats) {
    for (const RowValue& row : rows) {
      const auto encoded = encode_row(format, type, row);
      ASSERT_TRUE(encoded.ok()) << encoded.error().message;
      EXPECT_EQ(*decode_row(format, type, *encoded), row) << debug_text(row);
    }
  }
}

// INDEXED stores CHAR(n) and BINARY(n) in n bytes: shorter values are padded, longer ones refused.
TEST(RowCodec, IndexedFixedWidths) {
  const DataType type = DataType::row({{"c", DataType::character(4)}, {"b", DataType::binary(3)}});
  EXPECT_EQ(to_hex(*encode_row(RowFormat::kIndexed, type, {{"ab", Buffer{7}}})), "0061620000070000");
  EXPECT_EQ(*decode_row(RowFormat::kIndexed, type, from_hex("0061620000070000")),
            (RowValue{{"ab", Buffer{7, 0, 0}}}));
  EXPECT_EQ(encode_row(RowFormat::kIndexed, type, {{"abcde", Buffer{7}}}).code(), ErrorCode::kCorruptRecord);
  EXPECT_EQ(encode_row(RowFormat::kIndexed, type, {{"ab", Buffer(4)}}).code(), ErrorCode::kCorruptRecord);
}

// Values that are not of the column's type are refused, with the name of the column, in each format.
TEST(RowCodec, RefusesWrongValues) {
  const std::pair<DataType, Value> cases[] = {
      {DataType::integer(), int64_t{1}},
      {DataType::string(), Buffer{1}},
      {DataType::bytes(), "x"},
      {DataType::boolean(), int8_t{1}},
      {DataType::integer().not_null(), nullptr},
      {DataType::decimal(4, 2), Decimal{1, 4, 1}},
      {DataType::decimal(4, 2), Decimal{10'000, 4, 2}},
      {DataType::decimal(38, 0), Decimal{1, 38, 1}},
      {DataType::timestamp(3), Timestamp{0, -1}},
      {DataType::timestamp(9), Timestamp{0, 1'000'000}},
      {DataType::array(DataType::integer()), ArrayValue{{"x"}}},
      {DataType::array(DataType::integer().not_null()), ArrayValue{{nullptr}}},
      {DataType::map(DataType::integer(), DataType::integer()), MapValue{{int32_t{1}}, {}}},
      {DataType::row({{"x", DataType::integer()}}), RowValue{{int32_t{1}, int32_t{2}}}},
  };
  for (const RowFormat format : kFormats) {
    for (const auto& [type, value] : cases) {
      const auto encoded = encode_row(format, DataType::row({{"bad", type}}), {{value}});
      ASSERT_EQ(encoded.code(), ErrorCode::kCorruptRecord) << type.to_string() << " " << value;
      EXPECT_NE(encoded.error().message.find("bad"), std::string::npos) << encoded.error().message;
    }
  }
}

// Every prefix of a row, and every row with one byte replaced, is refused or decoded, without a read beyond
// the bytes (which the sanitizer build would report). Prefixes are always refused where the format can tell.
TEST(RowCodec, HostileInput) {
  for (const RowFormat format : kFormats) {
    for (const auto& [type, row] :
         {std::pair{scalar_row_type(), scalar_row()}, {nested_row_type(), nested_row()}}) {
      const Buffer good = *encode_row(format, type, row);
      for (size_t size = 0; size < good.size(); ++size) {
        const Buffer cut(good.begin(), good.begin() + static_cast<ptrdiff_t>(size));
        const auto decoded = decode_row(format, type, cut);
        if (format != RowFormat::kAligned) EXPECT_EQ(decoded.code(), ErrorCode::kCorruptRecord) << size;
      }
      for (size_t i = 0; i < good.size(); ++i) {
        for (const uint8_t value : {0x00, 0x01, 0x7f, 0x80, 0xff}) {
          Buffer bytes = good;
          bytes[i] = value;
          const auto decoded = decode_row(format, type, bytes);
          if (decoded.ok()) EXPECT_EQ(decoded->fields.size(), type.fields.size());
        }
      }
    }
  }
}

// Bytes behind the last field are no part of a row.
TEST(RowCodec, RefusesLeftover) {
  const DataType type = DataType::row({{"s", DataType::string()}});
  EXPECT_TRUE(decode_row(RowFormat::kCompacted, type, from_hex("000161")).ok());
  EXPECT_FALSE(decode_row(RowFormat::kCompacted, type, from_hex("00016100")).ok());
  EXPECT_TRUE(decode_row(RowFormat::kIndexed, type, from_hex("000100000061")).ok());
  EXPECT_FALSE(decode_row(RowFormat::kIndexed, type, from_hex("00010000006100")).ok());
}

// Slots that share bytes of the variable part could describe a value that grows exponentially with depth:
// refused.
TEST(RowCodec, SlotsMustNotShareBytes) {
  const DataType type = DataType::row({{"a", DataType::array(DataType::string())}});
  const RowValue row{{ArrayValue{{"12345678", "abcdefgh"}}}};
  Buffer bytes = *encode_row(RowFormat::kCompacted, type, row);
  ASSERT_EQ(*decode_row(RowFormat::kCompacted, type, bytes), row);
  // null bits, length, then the array: count, null bits, two slots
  const size_t first_slot = 2 + 8;
  std::copy_n(bytes.begin() + first_slot, 8, bytes.begin() + first_slot + 8);
  EXPECT_EQ(decode_row(RowFormat::kCompacted, type, bytes).code(), ErrorCode::kCorruptRecord);
}

// A count of elements that the bytes can't hold is refused before memory is taken for it.
TEST(RowCodec, ArrayCountBeyondTheBytes) {
  const DataType type = DataType::row({{"a", DataType::array(DataType::boolean())}});
  Buffer bytes = *encode_row(RowFormat::kCompacted, type, {{ArrayValue{{true}}}});
  for (const int32_t count : {0x7fffffff, -1, std::numeric_limits<int32_t>::min(), 9}) {
    store_le(bytes.data() + 2, count);
    EXPECT_EQ(decode_row(RowFormat::kCompacted, type, bytes).code(), ErrorCode::kCorruptRecord) << count;
  }
}

// Varints: longer forms than needed are read, numbers beyond 32 bits and endless ones are refused.
TEST(RowCodec, Varints) {
  const DataType type = DataType::row({{"i", DataType::integer()}});
  EXPECT_EQ(*decode_row(RowFormat::kCompacted, type, from_hex("008100")), (RowValue{{int32_t{1}}}));
  EXPECT_EQ(*decode_row(RowFormat::kCompacted, type, from_hex("00ffffffff0f")), (RowValue{{int32_t{-1}}}));
  EXPECT_FALSE(decode_row(RowFormat::kCompacted, type, from_hex("00ffffffff1f")).ok());
  EXPECT_FALSE(decode_row(RowFormat::kCompacted, type, from_hex("00ffffffffff01")).ok());
}

}  // namespace
}  // namespace strom::format
