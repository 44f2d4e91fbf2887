// Reader and writer of Arrow batches together: against the bytes of the published Fluss classes, and against
// each other.
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/endian.h"
#include "format/arrow/golden_rows_testing.h"
#include "format/arrow/layout.h"
#include "format/arrow/reader.h"
#include "format/arrow/writer.h"
#include "format/golden_testing.h"
#include "format/log_batch.h"

namespace strom::format::arrow {
namespace {

using model::DataType;
using model::Schema;
using testing::HasSubstr;

Buffer golden_message(const std::string& name) {
  Buffer bytes = golden_batch(name);
  ArrowRecords records = LogBatchView::parse(bytes)->arrow_records().value();
  return Buffer(records.message.begin(), records.message.end());
}

struct Golden {
  std::string name;
  Schema schema;
  std::vector<RowValue> rows;
};

std::vector<Golden> golden_cases() {
  return {{"types", types_schema(), types_rows()},
          {"nested", nested_schema(), nested_rows()},
          {"empty_arrays", nested_schema(), empty_array_rows()},
          {"changes", changes_schema(), changes_rows()}};
}

Buffer written(const DataType& row_type, const std::vector<RowValue>& rows, WriterOptions options = {}) {
  ArrowWriter writer(row_type, options);
  for (const RowValue& row : rows) {
    Status added = writer.add(row);
    EXPECT_TRUE(added.ok()) << added.error().message;
  }
  return writer.finish();
}

DataType single(DataType type) { return DataType::row({{"v", std::move(type)}}); }

Status add_one(DataType type, Value value) {
  return ArrowWriter(single(std::move(type))).add(RowValue{.fields = {std::move(value)}});
}

// Values of every type, nested ones and nulls everywhere: our reader sees what the Java writer was given.
TEST(ArrowReader, ReadsGoldenBatches) {
  for (const Golden& golden : golden_cases()) {
    Result<std::vector<RowValue>> rows = read_rows(golden_message(golden.name), golden.schema.row_type());
    ASSERT_TRUE(rows.ok()) << golden.name << ": " << rows.error().message;
    EXPECT_EQ(*rows, golden.rows) << golden.name;
  }
}

// Our writer gives the very bytes of the Java writer.
TEST(ArrowWriter, WritesGoldenBatchesByteForByte) {
  for (const Golden& golden : golden_cases()) {
    EXPECT_EQ(to_hex(written(golden.schema.row_type(), golden.rows)), to_hex(golden_message(golden.name)))
        << golden.name;
  }
}

// The batches of the reference vectors: uncompressed byte for byte, compressed ones decoded (the bytes depend
// on the codec's version), among them an empty data buffer that is stored as 8 zero bytes.
TEST(ArrowWriter, AgreesWithTheReferenceVectors) {
  DataType ab = DataType::row({{"a", DataType::integer()}, {"b", DataType::string()}});
  std::vector<RowValue> two = {{.fields = {Value(int32_t{1}), Value("a")}},
                               {.fields = {Value(int32_t{2}), Value()}}};
  for (std::string name : {"arrow", "arrow_changes", "arrow_statistics"}) {
    EXPECT_EQ(to_hex(written(ab, two)), to_hex(golden_message(name))) << name;
  }
  EXPECT_EQ(to_hex(written(ab, two, {.compression = Compression::kLz4Frame})),
            to_hex(golden_message("arrow_lz4_raw")));
  DataType sv = DataType::row({{"s", DataType::string()}, {"v", DataType::big_int()}});
  std::vector<RowValue> many(64, RowValue{.fields = {Value(), Value(int64_t{5})}});
  for (std::string name : {"arrow_zstd", "arrow_lz4"})
    EXPECT_EQ(read_rows(golden_message(name), sv).value(), many);
}

// What was written with any compression reads back equal.
TEST(ArrowWriter, RoundTripsWithEveryCodec) {
  for (const Golden& golden : golden_cases()) {
    for (Compression compression : {Compression::kNone, Compression::kLz4Frame, Compression::kZstd}) {
      Buffer message = written(golden.schema.row_type(), golden.rows, {.compression = compression});
      EXPECT_EQ(read_rows(message, golden.schema.row_type()).value(), golden.rows) << golden.name;
    }
  }
}

// Strings of 5 KiB and 1 MiB, constant and incompressible, with all codecs (decompression must not depend on
// a guess of the result's size).
TEST(ArrowWriter, RoundTripsBigValues) {
  std::mt19937 random(11);
  DataType type = single(DataType::string());
  for (size_t size : {size_t{5} << 10, size_t{1} << 20}) {
    std::string noise(size, ' ');
    for (char& c : noise) c = static_cast<char>(random());
    std::vector<RowValue> rows = {{.fields = {Value(std::string(size, 'x'))}}, {.fields = {Value(noise)}}};
    for (WriterOptions options :
         {WriterOptions{}, WriterOptions{Compression::kLz4Frame}, WriterOptions{Compression::kZstd, -7},
          WriterOptions{Compression::kZstd, 3}}) {
      EXPECT_TRUE(read_rows(written(type, rows, options), type).value() == rows);
    }
  }
}

// More than 1024 array elements in all (upstream lost elements beyond its first allocation).
TEST(ArrowWriter, KeepsManyArrayElements) {
  DataType type = single(DataType::array(DataType::integer()));
  std::vector<RowValue> rows;
  for (int32_t i = 0; i < 250; ++i) {
    ArrayValue array;
    for (int32_t j = 0; j < 10; ++j) array.elements.emplace_back(i * 10 + j);
    rows.push_back({.fields = {Value(array)}});
  }
  EXPECT_EQ(read_rows(written(type, rows), type).value(), rows);
}

// Timestamps around and far from 1970 keep their nanoseconds; what 64 bits of nanoseconds can't hold is
// refused instead of wrapped around.
TEST(ArrowWriter, KeepsOrRefusesTimestamps) {
  constexpr int64_t kYear1 = -62135596800000;
  constexpr int64_t kYear9999 = 253402300799999;
  for (int32_t precision : {6, 9}) {
    DataType type = single(DataType::timestamp(precision));
    int32_t nanos = precision == 6 ? 999000 : 999999;
    std::vector<RowValue> rows = {{.fields = {Value(Timestamp{.millis = -1, .nanos_of_milli = nanos})}}};
    EXPECT_EQ(read_rows(written(type, rows), type).value(), rows);
  }
  for (int64_t millis : {kYear1, kYear9999}) {
    Value value = Timestamp{.millis = millis, .nanos_of_milli = 999000};
    DataType micros = single(DataType::timestamp(6));
    std::vector<RowValue> rows = {{.fields = {value}}};
    EXPECT_EQ(read_rows(written(micros, rows), micros).value(), rows);
    Status refused = add_one(DataType::timestamp(9), value);
    EXPECT_EQ(refused.code(), ErrorCode::kCorruptRecord);
  }
}

// A row that can't be written is refused with the name of its field, and leaves the batch as it was.
TEST(ArrowWriter, RefusesBadRowsAndStaysUsable) {
  DataType type = DataType::row({{"a", DataType::integer()}, {"b", DataType::string().not_null()}});
  ArrowWriter writer(type);
  RowValue good{.fields = {Value(int32_t{1}), Value("x")}};
  ASSERT_TRUE(writer.add(good).ok());
  Status null = writer.add({.fields = {Value(int32_t{2}), Value()}});
  EXPECT_EQ(null.code(), ErrorCode::kCorruptRecord);
  EXPECT_THAT(null.error().message, HasSubstr("field b"));
  EXPECT_EQ(writer.add({.fields = {Value(int64_t{2}), Value("y")}}).code(), ErrorCode::kCorruptRecord);
  EXPECT_EQ(writer.add({.fields = {Value(int32_t{2})}}).code(), ErrorCode::kCorruptRecord);
  ASSERT_TRUE(writer.add(good).ok());
  EXPECT_EQ(writer.record_count(), 2);
  EXPECT_EQ(read_rows(writer.finish(), type).value(), (std::vector<RowValue>{good, good}));
  EXPECT_EQ(writer.record_count(), 0);
  EXPECT_TRUE(writer.finish().empty());
}

// Values that no longer fit their type.
TEST(ArrowWriter, RefusesValuesThatDoNotFit) {
  EXPECT_FALSE(add_one(DataType::binary(2), Buffer{1, 2, 3}).ok());
  EXPECT_TRUE(add_one(DataType::binary(2), Buffer{1}).ok());
  EXPECT_FALSE(add_one(DataType::decimal(3, 1), Decimal{.unscaled = 1000, .precision = 3, .scale = 1}).ok());
  EXPECT_FALSE(add_one(DataType::decimal(3, 1), Decimal{.unscaled = 1, .precision = 3, .scale = 2}).ok());
  DataType map = DataType::map(DataType::string().not_null(), DataType::integer());
  EXPECT_FALSE(add_one(map, MapValue{.keys = {Value()}, .values = {Value(int32_t{1})}}).ok());
  EXPECT_FALSE(add_one(map, MapValue{.keys = {Value("k")}, .values = {}}).ok());
}

// A message whose buffers are not those of the schema is an error whichever way it differs.
TEST(ArrowReader, RefusesAnotherSchema) {
  Buffer message = golden_message("changes");
  Schema schema = changes_schema();
  for (const std::vector<int32_t>& positions : {std::vector<int32_t>{0}, {0, 1}, {1, 2}, {0, 2}}) {
    DataType fewer = projected(schema, positions).row_type();
    EXPECT_EQ(read_rows(message, fewer).code(), ErrorCode::kCorruptRecord);
  }
  DataType more = schema.row_type();
  more.fields.push_back({"d", DataType::integer()});
  EXPECT_EQ(read_rows(message, more).code(), ErrorCode::kCorruptRecord);
}

// Limits on decompressed bytes and on the number of values hold.
TEST(ArrowReader, KeepsItsLimits) {
  DataType type = single(DataType::string());
  std::vector<RowValue> rows(1000, RowValue{.fields = {Value(std::string(100, 'x'))}});
  Buffer message = written(type, rows, {.compression = Compression::kZstd});
  EXPECT_TRUE(read_rows(message, type, {.decompressed_bytes = 110'000, .values = 1000}).ok());
  EXPECT_EQ(read_rows(message, type, {.decompressed_bytes = 100'000, .values = 1000}).code(),
            ErrorCode::kCorruptRecord);
  EXPECT_EQ(read_rows(message, type, {.decompressed_bytes = 110'000, .values = 999}).code(),
            ErrorCode::kCorruptRecord);
  // A count that nothing backs.
  Buffer claim;
  append_message_head(claim, {.record_count = INT64_MAX,
                              .nodes = {{INT64_MAX, 0}},
                              .buffers = {{0, 0}, {0, 0}, {0, 0}},
                              .body_length = 0});
  EXPECT_EQ(read_rows(claim, type).code(), ErrorCode::kCorruptRecord);
  EXPECT_EQ(read_rows(claim, DataType::row({})).code(), ErrorCode::kCorruptRecord);
}

// Validity buffers of length 0 mean that nothing is null (other writers leave them out).
TEST(ArrowReader, AcceptsMissingValidity) {
  Buffer body(8);
  store_le<int32_t>(body.data(), 7);
  Buffer message;
  append_message_head(message,
                      {.record_count = 1, .nodes = {{1, 0}}, .buffers = {{0, 0}, {0, 4}}, .body_length = 8});
  append(message, body);
  EXPECT_EQ(read_rows(message, single(DataType::integer())).value()[0].fields[0], Value(int32_t{7}));
  Buffer contradiction;
  append_message_head(contradiction,
                      {.record_count = 1, .nodes = {{1, 1}}, .buffers = {{0, 0}, {0, 4}}, .body_length = 8});
  append(contradiction, body);
  EXPECT_EQ(read_rows(contradiction, single(DataType::integer())).code(), ErrorCode::kCorruptRecord);
}

// Whatever byte is changed, in metadata or body: an error or some rows, never a crash.
TEST(ArrowReader, SurvivesDamagedBatches) {
  const ReadLimits small{.decompressed_bytes = 1 << 16, .values = 1 << 12};
  for (const Golden& golden : {golden_cases()[0], golden_cases()[1]}) {
    DataType type = golden.schema.row_type();
    Buffer whole = golden_message(golden.name);
    for (size_t at = 0; at < whole.size(); ++at) {
      for (uint8_t bits : {0x01, 0xff}) {
        Buffer damaged = whole;
        damaged[at] ^= bits;
        Result<std::vector<RowValue>> rows = read_rows(damaged, type, small);
        EXPECT_TRUE(rows.ok() || rows.code() == ErrorCode::kCorruptRecord);
      }
      EXPECT_FALSE(read_rows(ByteView(whole).first(at), type, small).ok());
    }
  }
}

// The same for a compressed body, where the damage passes through the codec.
TEST(ArrowReader, SurvivesDamagedCompressedBatches) {
  const ReadLimits small{.decompressed_bytes = 1 << 16, .values = 1 << 12};
  DataType type = nested_schema().row_type();
  for (Compression compression : {Compression::kLz4Frame, Compression::kZstd}) {
    std::vector<RowValue> rows;
    for (int i = 0; i < 5; ++i) rows.push_back(nested_rows()[0]);
    Buffer whole = written(type, rows, {.compression = compression});
    for (size_t at = 0; at < whole.size(); ++at) {
      whole[at] ^= 0x11;
      Result<std::vector<RowValue>> read = read_rows(whole, type, small);
      EXPECT_TRUE(read.ok() || read.code() == ErrorCode::kCorruptRecord);
      whole[at] ^= 0x11;
    }
    EXPECT_TRUE(read_rows(whole, type, small).value() == rows);
  }
}

}  // namespace
}  // namespace strom::format::arrow
