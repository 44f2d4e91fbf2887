#include <gtest/gtest.h>

#include "format/row/row_codec.h"
#include "tests/golden/fixtures.h"

namespace strom::golden {
namespace {

using format::RowFormat;

void check_rows(const std::string& folder, RowFormat row_format) {
  for (const Json& line : json_lines(folder + "/rows.jsonl")) {
    const Table& source = table(line.at("table"));
    ASSERT_EQ(line.at("hex").size(), source.rows.size());
    for (size_t i = 0; i < source.rows.size(); ++i) {
      SCOPED_TRACE(folder + " " + line.at("table").get<std::string>() + " row " + std::to_string(i));
      const Buffer bytes = bytes_of(line.at("hex").at(i));
      const auto decoded = decode_row(row_format, source.row_type, bytes);
      ASSERT_TRUE(decoded.ok()) << decoded.error().message;
      EXPECT_EQ(*decoded, source.rows[i]);
      const auto encoded = encode_row(row_format, source.row_type, source.rows[i]);
      ASSERT_TRUE(encoded.ok()) << encoded.error().message;
      EXPECT_EQ(to_hex(*encoded), to_hex(bytes));
    }
  }
}

// Rows of every type in each row format: read equal to the values, written equal to the bytes.
TEST(GoldenRows, Compacted) { check_rows("row_compacted", RowFormat::kCompacted); }
TEST(GoldenRows, Indexed) { check_rows("row_indexed", RowFormat::kIndexed); }
TEST(GoldenRows, Aligned) { check_rows("row_aligned", RowFormat::kAligned); }

}  // namespace
}  // namespace strom::golden
