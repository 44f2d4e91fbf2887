#include "format/bucketing.h"

#include <gtest/gtest.h>

namespace strom::format {
namespace {

// The variant hash against values of the published Java class; the tail of one to three bytes, bytes above 7f
// among them, is where it differs from the canonical function.
TEST(Bucketing, HashVariant) {
  const std::pair<const char*, int32_t> cases[] = {{"", 142593372},
                                                   {"61", 1485273170},
                                                   {"6162", -97053317},
                                                   {"616263", 1322437556},
                                                   {"61626364", -396302900},
                                                   {"6162636465", 814637928},
                                                   {"68656c6c6f20776f726c64", -1528836094},
                                                   {"c3a9c3a8c3bf", 1925006070}};
  for (const auto& [hex, expected] : cases) {
    EXPECT_EQ(static_cast<int32_t>(murmur3_32_per_tail_byte(from_hex(hex))), expected) << hex;
  }
}

// The canonical hash against the test vectors that its authors and Iceberg's specification publish.
TEST(Bucketing, CanonicalHash) {
  EXPECT_EQ(murmur3_32({}, 0), 0U);
  EXPECT_EQ(murmur3_32({}, 1), 0x514e28b7U);
  EXPECT_EQ(murmur3_32(from_hex("2200000000000000"), 0), 2017239379U);  // BIGINT 34
  EXPECT_EQ(murmur3_32(as_bytes("iceberg"), 0), 1210000089U);
  EXPECT_EQ(static_cast<int32_t>(murmur3_32(from_hex("00010203"), 0)), -188683207);
}

struct Case {
  const char *compacted, *paimon, *iceberg, *hudi;
  int fluss7, fluss1024, paimon7, iceberg7, hudi7;
};

// Keys as the Java encoders write them, and the buckets of the Java functions for 7 and 1024 buckets.
TEST(Bucketing, Buckets) {
  const Case cases[] = {
      {"fbffffff0f", "0000000000000000fbffffff00000000", "fbffffffffffffff", "000005c7", 2, 861, 2, 4, 2},
      {"cb89ec8ff723", "0000000000000000cb04fb711f010000", "cb04fb711f010000", "cc2b7dd6", 6, 784, 1, 5, 1},
      {"0d68c3a96c6c6f2c20776f726c64", "00000000000000000d0000001000000068c3a96c6c6f2c20776f726c64000000",
       "68c3a96c6c6f2c20776f726c64", "9fbd412f", 2, 979, 3, 6, 2},
      {"fbffffff0f0d68c3a96c6c6f2c20776f726c64",
       "0000000000000000fbffffff000000000d0000001800000068c3a96c6c6f2c20776f726c64000000", "", "", 0, 205, 5,
       0, 0},
      {"0461622020", "00000000000000006162202000000084", "61622020", "002d8c00", 1, 167, 4, 0, 6},
      {"87ad4b", "000000000000000087d6120000000000", "12d687", "910de27b", 0, 2, 5, 5, 6},
      {"09bd12edc4f427dfc57b", "00000000000000000900000010000000bd12edc4f427dfc57b00000000000000",
       "bd12edc4f427dfc57b", "34498f92", 6, 758, 5, 4, 6},
      {"b89401", "0000000000000000384a000000000000", "384a000000000000", "02cd2327", 3, 116, 3, 1, 3},
      {"fbd095ffbc31c0ea1b", "000000000000000040f50600100000007b68e5cf8b010000", "40222018240a0600",
       "2e2a8fa2", 3, 566, 0, 0, 3},
      {"020908", "00000000000000000908000000000082", "0908", "", 3, 840, 0, 4, 0},
      {"fbd095ffbc31", "00000000000000007b68e5cf8b010000", "78202018240a0600", "dc1dc931", 5, 773, 2, 5, 2},
      {"01fe2c01", "00000000000000000100000000000000fe000000000000002c01000000000000", "", "cc7132db", 5, 455,
       1, 0, 0},
      {"0000c03f00000000000002c0", "00000000000000000000c03f0000000000000000000002c0", "", "02a88c35", 2, 595,
       6, 0, 6},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(fluss_bucket(from_hex(c.compacted), 7)->value, c.fluss7) << c.compacted;
    EXPECT_EQ(fluss_bucket(from_hex(c.compacted), 1024)->value, c.fluss1024) << c.compacted;
    EXPECT_EQ(paimon_bucket(from_hex(c.paimon), 7)->value, c.paimon7) << c.paimon;
    if (*c.iceberg) EXPECT_EQ(iceberg_bucket(from_hex(c.iceberg), 7)->value, c.iceberg7) << c.iceberg;
    if (*c.hudi) EXPECT_EQ(hudi_bucket(from_hex(c.hudi), 7)->value, c.hudi7) << c.hudi;
  }
}

// What can't be a bucket key, or a bucket count, is an error and not a division by zero.
TEST(Bucketing, RefusesNonsense) {
  for (const auto function : {fluss_bucket, paimon_bucket, iceberg_bucket, hudi_bucket}) {
    EXPECT_EQ(function(from_hex("00000001"), 0).code(), ErrorCode::kInvalidTable);
    EXPECT_EQ(function(from_hex("00000001"), -3).code(), ErrorCode::kInvalidTable);
    EXPECT_EQ(function({}, 3).code(), ErrorCode::kInvalidTable);
  }
  EXPECT_EQ(hudi_bucket(from_hex("0001"), 3).code(), ErrorCode::kInvalidTable);
}

}  // namespace
}  // namespace strom::format
