#include <algorithm>

#include <gtest/gtest.h>

#include "format/arrow/reader.h"
#include "format/arrow/writer.h"
#include "format/log_batch.h"
#include "format/log_batch_builder.h"
#include "format/log_batch_records.h"
#include "format/log_batch_statistics.h"
#include "format/row/row_codec.h"
#include "tests/golden/fixtures.h"

namespace strom::golden {
namespace {

using format::ChangeType;
using format::RowFormat;
using format::RowValue;
using format::Value;
namespace arrow = format::arrow;

std::vector<ChangeType> changes_of(const Json& line) {
  std::vector<ChangeType> changes;
  for (const Json& change : line.at("changes"))
    changes.push_back(*format::change_type_of(change.get<uint8_t>()));
  return changes;
}

// What the fixture says of the batch's header; checks it against the batch.
format::LogBatchSpec check_header(const Json& line, const format::LogBatchView& batch, size_t record_count) {
  EXPECT_TRUE(batch.check_crc().ok());
  EXPECT_EQ(batch.size(), bytes_of(line.at("hex")).size());
  EXPECT_EQ(batch.schema().value, line.at("schema_id").get<int32_t>());
  EXPECT_EQ(batch.append_only(), line.at("append_only").get<bool>());
  EXPECT_EQ(batch.writer().value, line.at("writer").get<int64_t>());
  EXPECT_EQ(batch.sequence().value, line.at("sequence").get<int32_t>());
  EXPECT_EQ(batch.record_count(), static_cast<int32_t>(record_count));
  return {.magic = batch.magic(),
          .schema = batch.schema(),
          .append_only = batch.append_only(),
          .writer = batch.writer(),
          .sequence = batch.sequence(),
          .statistics = Buffer(batch.statistics().begin(), batch.statistics().end())};
}

void check_row_batches(const std::string& folder, RowFormat row_format) {
  for (const Json& line : json_lines(folder + "/batches.jsonl")) {
    SCOPED_TRACE(folder + " " + line.at("table").get<std::string>());
    const Table& source = table(line.at("table"));
    const Buffer bytes = bytes_of(line.at("hex"));
    const auto batch = format::LogBatchView::parse(bytes);
    ASSERT_TRUE(batch.ok()) << batch.error().message;
    const std::vector<ChangeType> changes = changes_of(line);
    format::LogBatchBuilder builder(check_header(line, *batch, source.rows.size()));
    format::RowRecordIterator records(batch->records(), batch->record_count());
    for (size_t i = 0; i < source.rows.size(); ++i) {
      ASSERT_TRUE(*records.next());
      EXPECT_EQ(records.record().change, changes[i]);
      EXPECT_EQ(*decode_row(row_format, source.row_type, records.record().row), source.rows[i]);
      builder.add_row(changes[i], *encode_row(row_format, source.row_type, source.rows[i]));
    }
    EXPECT_FALSE(*records.next());
    EXPECT_EQ(to_hex(std::move(builder).finish()), to_hex(bytes));
  }
}

// Batches of the row formats, with and without change types and writers, and an empty one.
TEST(GoldenLogBatches, Indexed) { check_row_batches("log_batch_indexed", RowFormat::kIndexed); }
TEST(GoldenLogBatches, Compacted) { check_row_batches("log_batch_compacted", RowFormat::kCompacted); }

arrow::Compression compression_of(const Json& line) {
  if (line.at("compression") == "LZ4_FRAME") return arrow::Compression::kLz4Frame;
  if (line.at("compression") == "ZSTD") return arrow::Compression::kZstd;
  return arrow::Compression::kNone;
}

// The rows of a batch's Arrow message; none for an empty batch, which has no message.
std::vector<RowValue> read_rows(const format::LogBatchView& batch, const model::DataType& row_type) {
  if (batch.record_count() == 0) return {};
  const auto records = batch.arrow_records();
  const auto rows = records.ok() ? arrow::read_rows(records->message, row_type)
                                 : Result<std::vector<RowValue>>(records.error());
  EXPECT_TRUE(rows.ok()) << rows.error().message;
  return rows.ok() ? *rows : std::vector<RowValue>();
}

// Writes the rows as a batch with the header of `spec`.
Buffer write_arrow(const Json& line, const Table& source, format::LogBatchSpec spec) {
  arrow::ArrowWriter writer(source.row_type, {.compression = compression_of(line)});
  for (const RowValue& row : source.rows) {
    const Status added = writer.add(row);
    EXPECT_TRUE(added.ok()) << added.error().message;
  }
  const auto record_count = static_cast<int32_t>(source.rows.size());
  const std::vector<ChangeType> changes = spec.append_only ? std::vector<ChangeType>() : changes_of(line);
  format::LogBatchBuilder builder(std::move(spec));
  if (record_count > 0) builder.set_arrow(changes, writer.finish(), record_count);
  return std::move(builder).finish();
}

// Arrow batches: all types, nesting, nulls, extremes; each compression; with change types; with statistics.
// Uncompressed ones are written with the same bytes, compressed ones so that they read the same.
TEST(GoldenLogBatches, Arrow) {
  for (const Json& line : json_lines("log_batch_arrow/batches.jsonl")) {
    SCOPED_TRACE(line.at("table").get<std::string>() + " " + line.at("compression").get<std::string>());
    const Table& source = table(line.at("table"));
    const Buffer bytes = bytes_of(line.at("hex"));
    const auto batch = format::LogBatchView::parse(bytes);
    ASSERT_TRUE(batch.ok()) << batch.error().message;
    const format::LogBatchSpec spec = check_header(line, *batch, source.rows.size());
    EXPECT_EQ(read_rows(*batch, source.row_type), source.rows);
    if (!batch->append_only() && batch->record_count() > 0) {
      const std::vector<ChangeType> changes = changes_of(line);
      EXPECT_TRUE(std::ranges::equal(batch->arrow_records()->change_types, changes, {}, {},
                                     [](ChangeType change) { return static_cast<uint8_t>(change); }));
    }
    const Buffer written = write_arrow(line, source, spec);
    if (compression_of(line) == arrow::Compression::kNone) {
      EXPECT_EQ(to_hex(written), to_hex(bytes));
    } else {
      EXPECT_EQ(read_rows(*format::LogBatchView::parse(written), source.row_type), source.rows);
    }
  }
}

// Null counts match the rows; a bound is null for a column of nulls, else one of the column's values, and for
// integers none is beyond it.
void check_column(const Table& source, size_t column, int32_t null_count, const Value& min,
                  const Value& max) {
  SCOPED_TRACE(source.row_type.fields[column].name);
  std::vector<Value> values;
  for (const RowValue& row : source.rows) {
    if (!row.fields[column].is_null()) values.push_back(row.fields[column]);
  }
  EXPECT_EQ(static_cast<size_t>(null_count), source.rows.size() - values.size());
  if (values.empty()) {
    EXPECT_TRUE(min.is_null() && max.is_null());
    return;
  }
  EXPECT_NE(std::ranges::find(values, min), values.end()) << min;
  EXPECT_NE(std::ranges::find(values, max), values.end()) << max;
  for (const Value& value : values) {
    if (!value.is<int32_t>()) continue;
    EXPECT_LE(min.get<int32_t>(), value.get<int32_t>());
    EXPECT_GE(max.get<int32_t>(), value.get<int32_t>());
  }
}

// Statistics of magic 1: which columns, null counts, aligned rows of bounds, which are written back with the
// same bytes.
TEST(GoldenLogBatches, Statistics) {
  size_t batches = 0;
  for (const Json& line : json_lines("log_batch_arrow/batches.jsonl")) {
    const auto columns = line.at("statistics").get<std::vector<int16_t>>();
    const Buffer bytes = bytes_of(line.at("hex"));
    const auto batch = format::LogBatchView::parse(bytes);
    ASSERT_TRUE(batch.ok()) << batch.error().message;
    EXPECT_EQ(batch->magic(), columns.empty() ? format::LogMagic::kV0 : format::LogMagic::kV1);
    if (columns.empty()) continue;
    ++batches;
    const Table& source = table(line.at("table"));
    const auto statistics = format::parse_statistics(batch->statistics(), source.row_type.fields.size());
    ASSERT_TRUE(statistics.ok()) << statistics.error().message;
    ASSERT_EQ(statistics->columns, columns);
    std::vector<model::DataField> fields;
    for (const int16_t column : columns)
      fields.push_back(source.row_type.fields[static_cast<size_t>(column)]);
    const auto bounds_type = model::DataType::row(fields);
    const auto min = decode_row(RowFormat::kAligned, bounds_type, statistics->min_row);
    const auto max = decode_row(RowFormat::kAligned, bounds_type, statistics->max_row);
    ASSERT_TRUE(min.ok() && max.ok());
    for (size_t i = 0; i < columns.size(); ++i) {
      check_column(source, static_cast<size_t>(columns[i]), statistics->null_counts[i], min->fields[i],
                   max->fields[i]);
    }
    EXPECT_EQ(to_hex(*encode_row(RowFormat::kAligned, bounds_type, *min)), to_hex(statistics->min_row));
    EXPECT_EQ(to_hex(*encode_row(RowFormat::kAligned, bounds_type, *max)), to_hex(statistics->max_row));
  }
  EXPECT_GT(batches, 0U);
}

}  // namespace
}  // namespace strom::golden
