#include "format/key/key_encoder.h"

#include <limits>

#include <gtest/gtest.h>

namespace strom::format {
namespace {

using model::DataType;
using model::LakeFormat;
using Columns = std::vector<std::string>;

DataType row_type() {
  return DataType::row({{"bo", DataType::boolean()},
                        {"ti", DataType::tiny_int()},
                        {"si", DataType::small_int()},
                        {"i", DataType::integer()},
                        {"bi", DataType::big_int()},
                        {"f", DataType::float32()},
                        {"d", DataType::float64()},
                        {"c4", DataType::character(4)},
                        {"s", DataType::string()},
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
RowValue row() {
  return {{true, int8_t{-2}, int16_t{300}, int32_t{-5}, int64_t{1234567890123}, 1.5F, -2.25, "ab  ",
           "h\u00e9llo, world", Buffer{9, 8}, Decimal{1234567, 10, 2},
           *parse_decimal("-1234567890123456789.125", 25, 3), int32_t{19000}, int32_t{45296789},
           Timestamp{1700000000123, 0}, Timestamp{1700000000123, 456000}, Timestamp{1700000000123, 456789},
           nullptr}};
}

// The key as hex, or the error's code in brackets.
std::string key_of(KeyEncoding encoding, const Columns& columns, const RowValue& of = row()) {
  const auto encoder = KeyEncoder::make(encoding, row_type(), columns);
  const auto key = encoder.ok() ? encoder->encode(of) : Result<Buffer>(encoder.error());
  return key.ok() ? to_hex(*key) : std::string(error_name(key.code()));
}

struct Case {
  Columns columns;
  std::string compacted, paimon, iceberg, hudi;
};

// Keys of one and of several columns have the bytes of the Java encoders; what those refuse is refused.
TEST(KeyEncoder, AsJavaWritesThem) {
  const std::string no_table = "INVALID_TABLE_EXCEPTION";
  const std::string no_record = "CORRUPT_RECORD_EXCEPTION";
  const Case cases[] = {
      {{"i"}, "fbffffff0f", "0000000000000000fbffffff00000000", "fbffffffffffffff", "000005c7"},
      {{"bi"}, "cb89ec8ff723", "0000000000000000cb04fb711f010000", "cb04fb711f010000", "cc2b7dd6"},
      {{"s"},
       "0d68c3a96c6c6f2c20776f726c64",
       "00000000000000000d0000001000000068c3a96c6c6f2c20776f726c64000000",
       "68c3a96c6c6f2c20776f726c64",
       "9fbd412f"},
      {{"i", "s"},
       "fbffffff0f0d68c3a96c6c6f2c20776f726c64",
       "0000000000000000fbffffff000000000d0000001800000068c3a96c6c6f2c20776f726c64000000",
       no_table,
       no_record},
      {{"c4"}, "0461622020", "00000000000000006162202000000084", "61622020", "002d8c00"},
      {{"d10"}, "87ad4b", "000000000000000087d6120000000000", "12d687", "910de27b"},
      {{"d25"},
       "09bd12edc4f427dfc57b",
       "00000000000000000900000010000000bd12edc4f427dfc57b00000000000000",
       "bd12edc4f427dfc57b",
       "34498f92"},
      {{"da"}, "b89401", "0000000000000000384a000000000000", "384a000000000000", "02cd2327"},
      {{"t6"},
       "fbd095ffbc31c0ea1b",
       "000000000000000040f50600100000007b68e5cf8b010000",
       "40222018240a0600",
       "2e2a8fa2"},
      {{"by"}, "020908", "00000000000000000908000000000082", "0908", no_table},
      {{"t3"}, "fbd095ffbc31", "00000000000000007b68e5cf8b010000", "78202018240a0600", "dc1dc931"},
      {{"bo", "ti", "si"},
       "01fe2c01",
       "00000000000000000100000000000000fe000000000000002c01000000000000",
       no_table,
       "cc7132db"},
      {{"f", "d"},
       "0000c03f00000000000002c0",
       "00000000000000000000c03f0000000000000000000002c0",
       no_table,
       "02a88c35"},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(key_of(KeyEncoding::kCompacted, c.columns), c.compacted);
    EXPECT_EQ(key_of(KeyEncoding::kPaimon, c.columns), c.paimon);
    EXPECT_EQ(key_of(KeyEncoding::kIceberg, c.columns), c.iceberg) << c.columns[0];
    EXPECT_EQ(key_of(KeyEncoding::kHudi, c.columns), c.hudi) << c.columns[0];
  }
}

// A compacted key gives back its columns, in key order; cut, extended or changed it is refused.
TEST(KeyEncoder, DecodesCompacted) {
  const Columns columns = {"s", "t6", "d25", "i", "bo", "by"};
  const auto encoder = KeyEncoder::make(KeyEncoding::kCompacted, row_type(), columns);
  ASSERT_TRUE(encoder.ok());
  Buffer key = *encoder->encode(row());
  const RowValue expected{{row().fields[8], row().fields[15], row().fields[11], row().fields[3],
                           row().fields[0], row().fields[9]}};
  EXPECT_EQ(*encoder->decode_compacted(key), expected);
  for (size_t size = 0; size < key.size(); ++size) {
    EXPECT_EQ(encoder->decode_compacted(ByteView(key).first(size)).code(), ErrorCode::kCorruptRecord) << size;
  }
  key.push_back(0);
  EXPECT_EQ(encoder->decode_compacted(key).code(), ErrorCode::kCorruptRecord);
}

// Null in a key: an error where rows are identified, a null bit for Paimon, a placeholder for Hudi.
TEST(KeyEncoder, Nulls) {
  EXPECT_EQ(key_of(KeyEncoding::kCompacted, {"nul"}), "CORRUPT_RECORD_EXCEPTION");
  EXPECT_EQ(key_of(KeyEncoding::kIceberg, {"nul"}), "CORRUPT_RECORD_EXCEPTION");
  EXPECT_EQ(key_of(KeyEncoding::kPaimon, {"nul"}), "00010000000000000000000000000000");
  RowValue text = row();
  text.fields[8] = "__null__";
  EXPECT_EQ(key_of(KeyEncoding::kHudi, {"nul"}), key_of(KeyEncoding::kHudi, {"s"}, text));
  // 31 * (31 * 1 + hash("true")) + 0
  EXPECT_EQ(key_of(KeyEncoding::kHudi, {"bo", "nul"}), "06983ff3");
}

// Texts that would not survive Hudi's record key are refused when it has several columns.
TEST(KeyEncoder, HudiRefusesAmbiguousTexts) {
  for (const char* bad : {"a,b", "__null__", "__empty__"}) {
    RowValue text = row();
    text.fields[8] = bad;
    EXPECT_EQ(key_of(KeyEncoding::kHudi, {"i", "s"}, text), "CORRUPT_RECORD_EXCEPTION") << bad;
    EXPECT_EQ(key_of(KeyEncoding::kHudi, {"s"}, text).size(), 8U) << bad;
  }
}

// Unknown columns, no columns and types that are no keys are refused when the encoder is made.
TEST(KeyEncoder, RefusesColumns) {
  EXPECT_EQ(key_of(KeyEncoding::kCompacted, {}), "INVALID_TABLE_EXCEPTION");
  EXPECT_EQ(key_of(KeyEncoding::kCompacted, {"nowhere"}), "INVALID_TABLE_EXCEPTION");
  EXPECT_EQ(key_of(KeyEncoding::kIceberg, {"l9"}), "INVALID_TABLE_EXCEPTION");
  const DataType nested = DataType::row({{"a", DataType::array(DataType::integer())}});
  for (const auto encoding :
       {KeyEncoding::kCompacted, KeyEncoding::kPaimon, KeyEncoding::kIceberg, KeyEncoding::kHudi}) {
    EXPECT_EQ(KeyEncoder::make(encoding, nested, {"a"}).code(), ErrorCode::kInvalidTable);
  }
}

// The rule of which encoding a table's keys have: every lake format, both versions, both kinds of bucket
// keys.
TEST(KeyEncoding, Rule) {
  using enum KeyEncoding;
  struct Rule {
    std::optional<LakeFormat> lake;
    KeyEncoding bucket, v1, v2_default, v2_other;
  };
  const Rule rules[] = {{std::nullopt, kCompacted, kCompacted, kCompacted, kCompacted},
                        {LakeFormat::kLance, kCompacted, kCompacted, kCompacted, kCompacted},
                        {LakeFormat::kPaimon, kPaimon, kPaimon, kPaimon, kCompacted},
                        {LakeFormat::kIceberg, kIceberg, kIceberg, kIceberg, kCompacted},
                        {LakeFormat::kHudi, kHudi, kCompacted, kCompacted, kCompacted}};
  for (const Rule& rule : rules) {
    EXPECT_EQ(bucket_key_encoding(rule.lake), rule.bucket);
    for (const bool default_key : {true, false}) {
      EXPECT_EQ(*primary_key_encoding({.lake = rule.lake, .default_bucket_key = default_key}), rule.v1);
    }
    EXPECT_EQ(*primary_key_encoding({rule.lake, 2, true}), rule.v2_default);
    EXPECT_EQ(*primary_key_encoding({rule.lake, 2, false}), rule.v2_other);
    EXPECT_EQ(primary_key_encoding({rule.lake, 3, true}).code(), ErrorCode::kInvalidTable);
  }
}

// Each encoding's keys go to the bucket function of the same name.
TEST(KeyEncoding, Buckets) {
  const std::pair<KeyEncoding, int> cases[] = {{KeyEncoding::kCompacted, 6},
                                               {KeyEncoding::kPaimon, 1},
                                               {KeyEncoding::kIceberg, 5},
                                               {KeyEncoding::kHudi, 1}};
  for (const auto& [encoding, bucket] : cases) {
    EXPECT_EQ(bucket_of(encoding, from_hex(key_of(encoding, {"bi"})), 7)->value, bucket)
        << to_string(encoding);
  }
}

}  // namespace
}  // namespace strom::format
