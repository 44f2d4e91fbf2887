#include <gtest/gtest.h>

#include "format/bucketing.h"
#include "format/key/key_encoder.h"
#include "tests/golden/fixtures.h"

namespace strom::golden {
namespace {

using format::KeyEncoder;
using format::KeyEncoding;

KeyEncoding encoding_of(const std::string& name) {
  for (const auto encoding :
       {KeyEncoding::kCompacted, KeyEncoding::kPaimon, KeyEncoding::kIceberg, KeyEncoding::kHudi}) {
    if (to_string(encoding) == name) return encoding;
  }
  STROM_CHECK(false, "no key encoding {}", name);
}

// The key as hex, null when the encoder refuses the columns or the row.
Json key_of(KeyEncoding encoding, const Table& table, const std::vector<std::string>& columns,
            const format::RowValue& row) {
  const auto encoder = KeyEncoder::make(encoding, table.row_type, columns);
  if (!encoder.ok()) return nullptr;
  const auto key = encoder->encode(row);
  if (!key.ok()) return nullptr;
  return to_hex(*key);
}

// Keys of each column alone and of several, of each encoding: equal to the bytes, refused where Java refuses;
// compacted keys give their columns back.
TEST(GoldenKeys, Keys) {
  for (const Json& line : json_lines("key/keys.jsonl")) {
    const Table& source = table(line.at("table"));
    const KeyEncoding encoding = encoding_of(line.at("encoding"));
    const auto columns = line.at("columns").get<std::vector<std::string>>();
    for (size_t i = 0; i < source.rows.size(); ++i) {
      const Json& expected = line.at("hex").at(i);
      EXPECT_EQ(key_of(encoding, source, columns, source.rows[i]), expected)
          << to_string(encoding) << " " << line.at("columns") << " of " << source.rows[i];
      if (encoding != KeyEncoding::kCompacted || expected.is_null()) continue;
      const auto decoded =
          KeyEncoder::make(encoding, source.row_type, columns)->decode_compacted(bytes_of(expected));
      ASSERT_TRUE(decoded.ok()) << decoded.error().message;
      for (size_t c = 0; c < columns.size(); ++c) {
        EXPECT_EQ(decoded->fields[c], source.rows[i].fields[*source.schema.index_of(columns[c])]);
      }
    }
  }
}

// The bucket of every key, for several counts.
TEST(GoldenKeys, Buckets) {
  for (const Json& line : json_lines("bucket/buckets.jsonl")) {
    for (const Json& pair : line.at("buckets")) {
      const auto bucket = bucket_of(encoding_of(line.at("encoding")), bytes_of(line.at("key")), pair.at(0));
      ASSERT_TRUE(bucket.ok()) << bucket.error().message;
      EXPECT_EQ(bucket->value, pair.at(1).get<int32_t>()) << line;
    }
  }
}

// The hash for every length of the tail.
TEST(GoldenKeys, Hashes) {
  for (const Json& line : json_lines("bucket/hashes.jsonl")) {
    EXPECT_EQ(static_cast<int32_t>(format::murmur3_32_per_tail_byte(bytes_of(line.at("bytes")))),
              line.at("hash").get<int32_t>());
  }
}

}  // namespace
}  // namespace strom::golden
