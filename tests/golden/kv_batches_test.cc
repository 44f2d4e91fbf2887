#include <gtest/gtest.h>

#include "format/kv_batch.h"
#include "format/row/row_codec.h"
#include "tests/golden/fixtures.h"

namespace strom::golden {
namespace {

using format::RowFormat;

RowFormat format_of(const Json& line) {
  return line.at("format") == "COMPACTED" ? RowFormat::kCompacted : RowFormat::kIndexed;
}
model::SchemaId schema_of(const Json& line) { return model::SchemaId(line.at("schema_id").get<int32_t>()); }

// Batches of puts and deletes: header, keys and rows are read, and the same batch is written.
TEST(GoldenKvBatches, Batches) {
  for (const Json& line : json_lines("kv_batch/batches.jsonl")) {
    SCOPED_TRACE(line.at("table"));
    const Table& source = table(line.at("table"));
    const Buffer bytes = bytes_of(line.at("hex"));
    const auto batch = format::KvBatchView::parse(bytes);
    ASSERT_TRUE(batch.ok()) << batch.error().message;
    EXPECT_TRUE(batch->check_crc().ok());
    EXPECT_EQ(batch->size(), bytes.size());
    EXPECT_EQ(batch->schema(), schema_of(line));
    EXPECT_EQ(batch->writer().value, line.at("writer").get<int64_t>());
    EXPECT_EQ(batch->sequence().value, line.at("sequence").get<int32_t>());
    const auto records = batch->records();
    ASSERT_TRUE(records.ok()) << records.error().message;
    ASSERT_EQ(records->size(), source.rows.size());

    format::KvBatchBuilder builder(
        {.schema = batch->schema(), .writer = batch->writer(), .sequence = batch->sequence()});
    for (size_t i = 0; i < source.rows.size(); ++i) {
      EXPECT_EQ(to_hex(records->at(i).key), line.at("keys").at(i).get<std::string>());
      ASSERT_EQ(records->at(i).is_delete(), line.at("deleted").at(i).get<bool>());
      if (records->at(i).is_delete()) {
        builder.remove(records->at(i).key);
        continue;
      }
      EXPECT_EQ(*decode_row(format_of(line), source.row_type, records->at(i).row), source.rows[i]);
      builder.put(records->at(i).key, *encode_row(format_of(line), source.row_type, source.rows[i]));
    }
    EXPECT_EQ(to_hex(std::move(builder).finish()), to_hex(bytes));
  }
}

// Stored values and the batches of them.
TEST(GoldenKvBatches, Values) {
  for (const Json& line : json_lines("kv_batch/values.jsonl")) {
    SCOPED_TRACE(line.at("table"));
    const Table& source = table(line.at("table"));
    const Buffer bytes = bytes_of(line.at("hex"));
    const auto values = format::parse_value_batch(bytes);
    ASSERT_TRUE(values.ok()) << values.error().message;
    ASSERT_EQ(values->size(), source.rows.size());
    format::ValueBatchBuilder builder;
    for (size_t i = 0; i < source.rows.size(); ++i) {
      EXPECT_EQ(values->at(i).schema, schema_of(line));
      EXPECT_EQ(*decode_row(format_of(line), source.row_type, values->at(i).row), source.rows[i]);
      const Buffer row = *encode_row(format_of(line), source.row_type, source.rows[i]);
      const Buffer value = format::KvValue{.schema = schema_of(line), .row = row}.encode();
      EXPECT_EQ(to_hex(value), line.at("values").at(i).get<std::string>());
      builder.add(value);
    }
    EXPECT_EQ(to_hex(std::move(builder).finish()), to_hex(bytes));
  }
}

}  // namespace
}  // namespace strom::golden
