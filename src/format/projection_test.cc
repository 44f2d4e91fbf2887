#include "format/projection.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/endian.h"
#include "format/arrow/golden_rows_testing.h"
#include "format/arrow/reader.h"
#include "format/arrow/writer.h"
#include "format/golden_testing.h"
#include "format/log_batch_builder.h"
#include "format/log_batch_layout.h"

namespace strom::format {
namespace {

using arrow::Compression;
using model::DataType;
using model::Schema;
using testing::HasSubstr;

ProjectionPlan plan_for(const Schema& schema, const std::vector<int32_t>& positions) {
  return ProjectionPlan::make(schema, positions).value();
}

Buffer joined(const ProjectedBatch& batch) {
  Buffer bytes = batch.head;
  for (ByteView part : batch.parts) append(bytes, part);
  EXPECT_EQ(bytes.size(), batch.size);
  return bytes;
}

Buffer project(ByteView bytes, const Schema& schema, const std::vector<int32_t>& positions) {
  LogBatchView batch = LogBatchView::parse(bytes).value();
  auto projected = project_batch(batch, plan_for(schema, positions), SIZE_MAX);
  EXPECT_TRUE(projected.ok()) << projected.error().message;
  return joined(**projected);
}

struct Golden {
  std::string name;
  Schema schema;
  std::vector<RowValue> rows;
  std::vector<int32_t> positions;

  std::string projected_name() const {
    std::string text = name + "_project";
    for (int32_t position : positions) text += "_" + std::to_string(position);
    return text;
  }
};

std::vector<Golden> golden_cases() {
  using namespace arrow;
  return {{"types", types_schema(), types_rows(), {0, 8, 10, 20}},
          {"types", types_schema(), types_rows(), {1, 2, 3}},
          {"nested", nested_schema(), nested_rows(), {1}},
          {"nested", nested_schema(), nested_rows(), {0, 2, 4}},
          {"changes", changes_schema(), changes_rows(), {2}},
          {"changes", changes_schema(), changes_rows(), {0, 2}}};
}

// A batch as a writer with other habits would send it: bytes of an Arrow message in a log batch with a right
// CRC.
Buffer batch_around(const arrow::RecordBatchMetadata& metadata, ByteView body) {
  Buffer message;
  arrow::append_message_head(message, metadata);
  append(message, body);
  LogBatchBuilder builder(LogBatchSpec{});
  builder.set_arrow({}, message, static_cast<int32_t>(metadata.record_count));
  return std::move(builder).finish();
}

// The result is byte for byte what the Java server's projection makes of the same batch: all types, nested
// columns, change types.
TEST(Projection, GivesTheBytesOfTheJavaServer) {
  for (const Golden& golden : golden_cases()) {
    Buffer bytes = project(golden_batch(golden.name), golden.schema, golden.positions);
    EXPECT_EQ(to_hex(bytes), to_hex(golden_batch(golden.projected_name()))) << golden.projected_name();
  }
}

// The projected rows are the chosen columns, for all codecs, and the change types stay.
TEST(Projection, KeepsTheChosenColumns) {
  for (const Golden& golden : golden_cases()) {
    for (Compression compression : {Compression::kNone, Compression::kLz4Frame, Compression::kZstd}) {
      arrow::ArrowWriter writer(golden.schema.row_type(), {.compression = compression});
      for (const RowValue& row : golden.rows) ASSERT_TRUE(writer.add(row).ok());
      std::vector<ChangeType> changes(golden.rows.size(), ChangeType::kInsert);
      changes.back() = ChangeType::kDelete;
      LogBatchBuilder builder(LogBatchSpec{.append_only = false});
      builder.set_arrow(changes, writer.finish(), static_cast<int32_t>(golden.rows.size()));
      Buffer bytes = project(std::move(builder).finish(), golden.schema, golden.positions);
      LogBatchView batch = LogBatchView::parse(bytes).value();
      ArrowRecords records = batch.arrow_records().value();
      EXPECT_EQ(records.change_types.size(), changes.size());
      EXPECT_EQ(records.change_types.back(), static_cast<uint8_t>(ChangeType::kDelete));
      DataType type = arrow::projected(golden.schema, golden.positions).row_type();
      EXPECT_EQ(arrow::read_rows(records.message, type).value(),
                arrow::projected(golden.rows, golden.positions));
    }
  }
}

// Header fields stay, the CRC of the source included; size and statistics change.
TEST(Projection, DropsStatisticsAndKeepsTheHeader) {
  Schema schema =
      model::SchemaBuilder().column("a", DataType::integer()).column("b", DataType::string()).build().value();
  Buffer source = golden_batch("arrow_statistics");
  stamp(source, model::Offset(1000), model::Timestamp(5));
  Buffer bytes = project(source, schema, {1});
  LogBatchHeader before = LogBatchHeader::parse(source).value();
  LogBatchHeader after = LogBatchHeader::parse(bytes).value();
  EXPECT_EQ(after.size, bytes.size());
  EXPECT_EQ(after.statistics_size, 0u);
  EXPECT_EQ(after.base_offset, model::Offset(1000));
  EXPECT_EQ(after.next_offset(), before.next_offset());
  EXPECT_EQ(after.commit_timestamp, model::Timestamp(5));
  EXPECT_EQ(after.magic, LogMagic::kV1);
  EXPECT_EQ(after.crc, before.crc);
  std::vector<RowValue> rows = {{.fields = {Value("a")}}, {.fields = {Value()}}};
  ByteView message = LogBatchView::parse(bytes)->arrow_records()->message;
  EXPECT_EQ(arrow::read_rows(message, DataType::row({{"b", DataType::string()}})).value(), rows);
}

// An empty batch keeps its header, so that a reader gets past its offset; statistics that it might have go.
TEST(Projection, KeepsEmptyBatches) {
  for (LogMagic magic : {LogMagic::kV0, LogMagic::kV1, LogMagic::kV2}) {
    LogBatchSpec spec{.magic = magic, .append_only = false, .base_offset = model::Offset(9)};
    Buffer empty = LogBatchBuilder(spec).finish();
    EXPECT_EQ(to_hex(project(empty, arrow::changes_schema(), {1})), to_hex(empty));
    if (magic == LogMagic::kV0) continue;
    spec.statistics = {1, 2, 3};
    EXPECT_EQ(project(LogBatchBuilder(spec).finish(), arrow::changes_schema(), {1}).size(),
              log_batch_header_size(magic));
  }
}

// Nothing is copied: the parts lie in the source batch, and neighbouring columns are one part.
TEST(Projection, PartsAreRangesOfTheSource) {
  Buffer source = golden_batch("types");
  LogBatchView batch = LogBatchView::parse(source).value();
  ProjectedBatch result = **project_batch(batch, plan_for(arrow::types_schema(), {1, 2, 3, 8}), SIZE_MAX);
  ASSERT_EQ(result.parts.size(), 2u);
  for (ByteView part : result.parts) {
    EXPECT_GE(part.data(), source.data());
    EXPECT_LE(part.data() + part.size(), source.data() + source.size());
  }
}

// All columns give the batch back, but for statistics.
TEST(Projection, OfAllColumnsIsTheBatchItself) {
  Buffer source = golden_batch("changes");
  EXPECT_EQ(to_hex(project(source, arrow::changes_schema(), {0, 1, 2})), to_hex(source));
}

// A result above the limit is none; one that just fits is given.
TEST(Projection, KeepsTheLimit) {
  Buffer source = golden_batch("changes");
  LogBatchView batch = LogBatchView::parse(source).value();
  ProjectionPlan plan = plan_for(arrow::changes_schema(), {0});
  size_t size = (*project_batch(batch, plan, SIZE_MAX))->size;
  EXPECT_TRUE(project_batch(batch, plan, size)->has_value());
  EXPECT_FALSE(project_batch(batch, plan, size - 1)->has_value());
  EXPECT_FALSE(project_batch(batch, plan, 0)->has_value());
}

// Positions must be given, ascend, and exist in the schema of the batch, which may be older than the table's
// (34).
TEST(ProjectionPlan, RefusesBadPositions) {
  Schema schema = arrow::changes_schema();
  for (const std::vector<int32_t>& positions :
       {std::vector<int32_t>{}, {1, 0}, {0, 0}, {1, 1, 2}, {3}, {0, 3}, {-1}}) {
    EXPECT_EQ(ProjectionPlan::make(schema, positions).code(), ErrorCode::kInvalidColumnProjection);
  }
  EXPECT_THAT(ProjectionPlan::make(schema, std::vector<int32_t>{}).error().message,
              HasSubstr("empty projection"));
  EXPECT_TRUE(ProjectionPlan::make(schema, std::vector<int32_t>{0, 1, 2}).ok());
}

// A message that isn't one of the schema is refused: here one with fewer, then one with more columns.
TEST(Projection, RefusesAnotherSchema) {
  Buffer source = golden_batch("changes");
  LogBatchView batch = LogBatchView::parse(source).value();
  ProjectionPlan wider = plan_for(arrow::types_schema(), {0});
  EXPECT_EQ(project_batch(batch, wider, SIZE_MAX).code(), ErrorCode::kCorruptRecord);
  ProjectionPlan narrower = plan_for(arrow::projected(arrow::changes_schema(), {0, 1}), {0});
  EXPECT_EQ(project_batch(batch, narrower, SIZE_MAX).code(), ErrorCode::kCorruptRecord);
}

// Buffers that overlap, go backwards or aren't padded to 8 can't be cut out; a batch with them is refused.
TEST(Projection, RefusesUnorderedBuffers) {
  Schema schema = arrow::projected(arrow::changes_schema(), {0, 2});
  ProjectionPlan plan = plan_for(schema, {0});
  using Ranges = std::vector<arrow::BufferRange>;
  auto code_of = [&](Ranges buffers) {
    Buffer body(32);
    Buffer bytes = batch_around(
        {.record_count = 1, .nodes = {{1, 0}, {1, 0}}, .buffers = std::move(buffers), .body_length = 32},
        body);
    return project_batch(LogBatchView::parse(bytes).value(), plan, SIZE_MAX).code();
  };
  EXPECT_EQ(code_of({{0, 1}, {8, 4}, {16, 1}, {24, 8}}), ErrorCode::kNone);
  EXPECT_EQ(code_of({{0, 0}, {0, 4}, {8, 0}, {8, 8}}), ErrorCode::kNone);              // no validity buffers
  EXPECT_EQ(code_of({{24, 8}, {16, 1}, {8, 4}, {0, 1}}), ErrorCode::kCorruptRecord);   // descending
  EXPECT_EQ(code_of({{0, 1}, {0, 4}, {16, 1}, {24, 8}}), ErrorCode::kCorruptRecord);   // shared
  EXPECT_EQ(code_of({{0, 16}, {8, 4}, {16, 1}, {24, 8}}), ErrorCode::kCorruptRecord);  // overlapping
  EXPECT_EQ(code_of({{0, 1}, {4, 4}, {8, 1}, {12, 8}}), ErrorCode::kCorruptRecord);    // aligned to 4
  EXPECT_EQ(code_of({{0, 1}, {8, 4}, {16, 1}}), ErrorCode::kCorruptRecord);            // one is missing
  EXPECT_EQ(code_of({}), ErrorCode::kCorruptRecord);
}

// Cut batches, flipped bytes, wrong record counts: an error or a batch that parses, never a crash. (The
// caller checks the CRC first; a right CRC is no proof of sane content.)
TEST(Projection, SurvivesDamagedBatches) {
  Buffer source = golden_batch("changes");
  ProjectionPlan plan = plan_for(arrow::changes_schema(), {0, 2});
  size_t refused = 0;
  for (size_t at = 0; at < source.size(); ++at) {
    for (int value = 0; value < 256; value += 15) {
      Buffer damaged = source;
      damaged[at] = static_cast<uint8_t>(value);
      Result<LogBatchView> batch = LogBatchView::parse(damaged);
      if (!batch.ok()) continue;
      auto result = project_batch(*batch, plan, SIZE_MAX);
      if (!result.ok()) {
        EXPECT_EQ(result.code(), ErrorCode::kCorruptRecord);
        ++refused;
        continue;
      }
      EXPECT_TRUE(LogBatchView::parse(joined(**result)).ok());
    }
  }
  EXPECT_GT(refused, 20u);
  for (size_t size = kMinLogBatchHeaderSize; size < source.size(); ++size) {
    Buffer cut(source.begin(), source.begin() + static_cast<ptrdiff_t>(size));
    store_le(cut.data() + layout::kLength, static_cast<int32_t>(size - kLogBatchOverhead));
    EXPECT_EQ(project_batch(LogBatchView::parse(cut).value(), plan, SIZE_MAX).code(),
              ErrorCode::kCorruptRecord);
  }
}

}  // namespace
}  // namespace strom::format
