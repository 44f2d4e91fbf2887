#include "format/kv_batch.h"

#include <gtest/gtest.h>

#include "base/endian.h"

namespace strom::format {
namespace {

using model::BatchSequence;
using model::SchemaId;
using model::WriterId;

// Written by the Java client: schema 1, writer 77, sequence 3; put key 01 -> (1, "a"), delete key 02.
constexpr const char* kJavaBatch =
    "28000000001538bbf60100004d000000000000000300000002000000060000000101000101610200"
    "00000102";

Buffer java_batch() { return from_hex(kJavaBatch); }

// A batch of the Java client is read: header, checksum, put and delete.
TEST(KvBatch, ReadsJavaBatch) {
  const Buffer bytes = java_batch();
  const auto batch = KvBatchView::parse(bytes);
  ASSERT_TRUE(batch.ok());
  EXPECT_EQ(batch->size(), bytes.size());
  EXPECT_EQ(batch->schema(), SchemaId(1));
  EXPECT_EQ(batch->writer(), WriterId(77));
  EXPECT_EQ(batch->sequence(), BatchSequence(3));
  EXPECT_TRUE(batch->check_crc().ok());
  const auto records = batch->records();
  ASSERT_TRUE(records.ok());
  ASSERT_EQ(records->size(), 2U);
  EXPECT_EQ(to_hex(records->at(0).key), "01");
  EXPECT_EQ(to_hex(records->at(0).row), "00010161");
  EXPECT_EQ(to_hex(records->at(1).key), "02");
  EXPECT_TRUE(records->at(1).is_delete());
}

// The builder writes the same bytes as the Java client.
TEST(KvBatch, WritesJavaBatch) {
  KvBatchBuilder builder({.schema = SchemaId(1), .writer = WriterId(77), .sequence = BatchSequence(3)});
  builder.put(from_hex("01"), from_hex("00010161"));
  builder.remove(from_hex("02"));
  EXPECT_EQ(to_hex(std::move(builder).finish()), kJavaBatch);
}

// A changed byte anywhere behind the CRC is noticed.
TEST(KvBatch, ChecksumCoversTheRest) {
  for (size_t i = 9; i < java_batch().size(); ++i) {
    Buffer bytes = java_batch();
    bytes[i] ^= 0x10;
    const auto batch = KvBatchView::parse(bytes);
    if (batch.ok()) EXPECT_EQ(batch->check_crc().code(), ErrorCode::kCorruptRecord) << i;
  }
}

// Every prefix of a batch is refused and never read beyond; so is every single wrong byte, or it yields
// records.
TEST(KvBatch, HostileInput) {
  const Buffer good = java_batch();
  for (size_t size = 0; size < good.size(); ++size) {
    const Buffer cut(good.begin(), good.begin() + static_cast<ptrdiff_t>(size));
    EXPECT_EQ(KvBatchView::parse(cut).code(), ErrorCode::kCorruptMessage) << size;
  }
  for (size_t i = 0; i < good.size(); ++i) {
    for (const uint8_t value : {0x00, 0x01, 0x7f, 0x80, 0xff}) {
      Buffer bytes = good;
      bytes[i] = value;
      const auto batch = KvBatchView::parse(bytes);
      if (!batch.ok()) continue;
      const auto records = batch->records();
      if (records.ok()) EXPECT_EQ(records->size(), static_cast<size_t>(batch->record_count()));
    }
  }
}

// A header that promises two billion records is refused without taking memory for them.
TEST(KvBatch, CountBeyondTheBytes) {
  Buffer bytes = java_batch();
  store_le<int32_t>(bytes.data() + 24, 0x7fffffff);
  EXPECT_EQ(KvBatchView::parse(bytes)->records().code(), ErrorCode::kCorruptRecord);
  store_le<int32_t>(bytes.data() + 24, 1);
  EXPECT_EQ(KvBatchView::parse(bytes)->records().code(), ErrorCode::kCorruptRecord);
  store_le<int32_t>(bytes.data() + 24, -1);
  EXPECT_EQ(KvBatchView::parse(bytes).code(), ErrorCode::kCorruptRecord);
}

// Stored values and value batches round trip; a cut batch, and one with more behind it, are refused.
TEST(ValueBatch, RoundTrip) {
  const Buffer row = from_hex("00010161");
  const Buffer value = KvValue{.schema = SchemaId(1), .row = row}.encode();
  EXPECT_EQ(to_hex(value), "010000010161");
  ValueBatchBuilder builder;
  builder.add(value);
  builder.add(KvValue{.schema = SchemaId(258), .row = row}.encode());
  Buffer bytes = std::move(builder).finish();
  EXPECT_EQ(to_hex(bytes),
            "19000000"
            "00"
            "02000000"
            "06000000"
            "010000010161"
            "06000000"
            "020100010161");

  const auto values = parse_value_batch(bytes);
  ASSERT_TRUE(values.ok());
  ASSERT_EQ(values->size(), 2U);
  EXPECT_EQ(values->at(0).schema, SchemaId(1));
  EXPECT_EQ(values->at(1).schema, SchemaId(258));
  EXPECT_EQ(to_hex(values->at(1).row), "00010161");

  for (size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(parse_value_batch(ByteView(bytes).first(size)).ok()) << size;
  }
  bytes.push_back(0);
  EXPECT_EQ(parse_value_batch(bytes).code(), ErrorCode::kCorruptRecord);
}

}  // namespace
}  // namespace strom::format
