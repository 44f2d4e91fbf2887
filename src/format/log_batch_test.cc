#include "format/log_batch.h"

#include <functional>

#include <gtest/gtest.h>

#include "base/crc32c.h"
#include "base/endian.h"
#include "format/golden_testing.h"
#include "format/log_batch_builder.h"
#include "format/log_batch_layout.h"
#include "format/log_batch_records.h"
#include "format/log_batch_statistics.h"

namespace strom::format {
namespace {

LogBatchView view_of(ByteView bytes) {
  Result<LogBatchView> parsed = LogBatchView::parse(bytes);
  EXPECT_TRUE(parsed.ok()) << parsed.error().message;
  return parsed.value();
}

// A batch of two COMPACTED rows in the given magic, with a change applied to its bytes.
Buffer changed_batch(LogMagic magic, const std::function<void(uint8_t*, const layout::Fields&)>& change) {
  LogBatchBuilder builder(LogBatchSpec{.magic = magic});
  builder.add_row(ChangeType::kAppendOnly, as_bytes("one"));
  builder.add_row(ChangeType::kAppendOnly, as_bytes("two"));
  Buffer bytes = std::move(builder).finish();
  change(bytes.data(), layout::of(magic));
  return bytes;
}

// The header of a batch that Fluss wrote, field by field.
TEST(LogBatch, ReadsTheHeaderOfAFlussBatch) {
  Buffer bytes = golden_batch("indexed");
  LogBatchView batch = view_of(bytes);
  EXPECT_EQ(batch.size(), bytes.size());
  EXPECT_EQ(batch.magic(), LogMagic::kV0);
  EXPECT_EQ(batch.base_offset(), model::Offset(0));
  EXPECT_EQ(batch.last_offset(), model::Offset(1));
  EXPECT_EQ(batch.next_offset(), model::Offset(2));
  EXPECT_EQ(batch.commit_timestamp(), model::Timestamp(0));
  EXPECT_EQ(batch.header().leader_epoch, model::LeaderEpoch(-1));
  EXPECT_EQ(batch.schema(), model::SchemaId(1));
  EXPECT_TRUE(batch.append_only());
  EXPECT_TRUE(batch.header().has_writer());
  EXPECT_EQ(batch.writer(), model::WriterId(77));
  EXPECT_EQ(batch.sequence(), model::BatchSequence(3));
  EXPECT_EQ(batch.record_count(), 2);
  EXPECT_TRUE(batch.statistics().empty());
  EXPECT_TRUE(batch.crc_ok());
}

// Every golden batch parses to its full length with the right CRC, so our layout of each magic is theirs.
TEST(LogBatch, AcceptsAllGoldenBatches) {
  for (const std::string& name : golden_batch_names()) {
    Buffer bytes = golden_batch(name);
    LogBatchView batch = view_of(bytes);
    EXPECT_EQ(batch.size(), bytes.size()) << name;
    EXPECT_TRUE(batch.check_crc().ok()) << name;
    EXPECT_EQ(batch.header().has_writer(), name == "indexed") << name;
  }
}

// Golden row batches: the records, and the same bytes when built from them.
TEST(LogBatch, RebuildsRowBatchesByteForByte) {
  for (std::string name : {"indexed", "compacted"}) {
    Buffer bytes = golden_batch(name);
    LogBatchView batch = view_of(bytes);
    LogBatchBuilder builder(LogBatchSpec{.schema = batch.schema(),
                                         .append_only = batch.append_only(),
                                         .writer = batch.writer(),
                                         .sequence = batch.sequence()});
    RowRecordIterator records(batch.records(), batch.record_count());
    std::vector<ChangeType> changes;
    while (records.next().value()) {
      changes.push_back(records.record().change);
      builder.add_row(records.record().change, records.record().row);
    }
    EXPECT_EQ(to_hex(std::move(builder).finish()), to_hex(bytes)) << name;
    bool append_only = name == "indexed";
    EXPECT_EQ(changes[0], append_only ? ChangeType::kAppendOnly : ChangeType::kInsert);
    EXPECT_EQ(changes[1], append_only ? ChangeType::kAppendOnly : ChangeType::kDelete);
  }
}

// Golden Arrow batches: change types and message are split, and the builder joins them to the same bytes.
TEST(LogBatch, RebuildsArrowBatchesByteForByte) {
  for (std::string name : {"arrow", "arrow_changes", "arrow_statistics"}) {
    Buffer bytes = golden_batch(name);
    LogBatchView batch = view_of(bytes);
    ArrowRecords records = batch.arrow_records().value();
    EXPECT_EQ(to_hex(records.change_types), name == "arrow_changes" ? "0104" : "");
    EXPECT_EQ(to_hex(records.message.first(4)), "ffffffff");
    std::vector<ChangeType> changes;
    for (uint8_t byte : records.change_types) changes.push_back(change_type_of(byte).value());
    ByteView statistics = batch.statistics();
    LogBatchBuilder builder(LogBatchSpec{.magic = batch.magic(),
                                         .append_only = batch.append_only(),
                                         .statistics = Buffer(statistics.begin(), statistics.end())});
    builder.set_arrow(changes, records.message, 2);
    EXPECT_EQ(to_hex(std::move(builder).finish()), to_hex(bytes)) << name;
  }
}

// Magic 2 has all fields of magic 1 and a leader epoch; what the builder writes reads back.
TEST(LogBatch, WritesAndReadsMagic2) {
  LogBatchSpec spec{.magic = LogMagic::kV2,
                    .schema = model::SchemaId(7),
                    .writer = model::WriterId(5),
                    .sequence = model::BatchSequence(6),
                    .base_offset = model::Offset(100),
                    .commit_timestamp = model::Timestamp(1234),
                    .leader_epoch = model::LeaderEpoch(9),
                    .statistics = {1, 2, 3}};
  LogBatchBuilder builder(spec);
  builder.add_row(ChangeType::kAppendOnly, as_bytes("row"));
  Buffer bytes = std::move(builder).finish();
  LogBatchView batch = view_of(bytes);
  EXPECT_EQ(batch.header().leader_epoch, spec.leader_epoch);
  EXPECT_EQ(batch.schema(), spec.schema);
  EXPECT_EQ(batch.writer(), spec.writer);
  EXPECT_EQ(batch.sequence(), spec.sequence);
  EXPECT_EQ(batch.base_offset(), spec.base_offset);
  EXPECT_EQ(batch.commit_timestamp(), spec.commit_timestamp);
  EXPECT_EQ(to_hex(batch.statistics()), "010203");
  EXPECT_EQ(batch.header().records_start(), 56u + 3u);
  EXPECT_TRUE(batch.crc_ok());
}

// An empty batch is a header alone and takes one offset.
TEST(LogBatch, EmptyBatchTakesOneOffset) {
  Buffer bytes =
      LogBatchBuilder(LogBatchSpec{.append_only = false, .base_offset = model::Offset(41)}).finish();
  LogBatchView batch = view_of(bytes);
  EXPECT_EQ(batch.size(), kMinLogBatchHeaderSize);
  EXPECT_TRUE(batch.header().is_empty());
  EXPECT_EQ(batch.last_offset(), model::Offset(41));
  EXPECT_EQ(batch.next_offset(), model::Offset(42));
}

// Stamping changes base offset and commit timestamp, nothing else, and the CRC stays right (a batch whose
// header is changed under its CRC would be refused by every client).
TEST(LogBatch, StampKeepsTheCrc) {
  for (const std::string& name : golden_batch_names()) {
    Buffer before = golden_batch(name);
    Buffer bytes = before;
    stamp(bytes, model::Offset(123456789012), model::Timestamp(1700000000123));
    LogBatchView batch = view_of(bytes);
    EXPECT_EQ(batch.base_offset(), model::Offset(123456789012));
    EXPECT_EQ(batch.commit_timestamp(), model::Timestamp(1700000000123));
    EXPECT_TRUE(batch.crc_ok());
    EXPECT_EQ(to_hex(ByteView(bytes).subspan(8, 5)), to_hex(ByteView(before).subspan(8, 5)));
    EXPECT_EQ(to_hex(ByteView(bytes).subspan(21)), to_hex(ByteView(before).subspan(21)));
  }
}

// A header that contradicts itself or the format is corrupt (14), in each magic.
TEST(LogBatch, RefusesContradictions) {
  using Change = std::function<void(uint8_t*, const layout::Fields&)>;
  const std::vector<std::pair<std::string, Change>> changes = {
      {"unknown magic", [](uint8_t* at, auto&) { at[layout::kMagic] = 3; }},
      {"negative magic", [](uint8_t* at, auto&) { at[layout::kMagic] = 0xff; }},
      {"size of zero", [](uint8_t* at, auto&) { store_le<int32_t>(at + layout::kLength, 0); }},
      {"size below the header",
       [](uint8_t* at, auto& f) { store_le<int32_t>(at + layout::kLength, int32_t(f.header_size) - 13); }},
      {"negative size", [](uint8_t* at, auto&) { store_le<int32_t>(at + layout::kLength, INT32_MIN); }},
      {"negative offset delta",
       [](uint8_t* at, auto& f) { store_le<int32_t>(at + f.last_offset_delta, -1); }},
      {"negative record count", [](uint8_t* at, auto& f) { store_le<int32_t>(at + f.record_count, -1); }},
      {"more records than offsets", [](uint8_t* at, auto& f) { store_le<int32_t>(at + f.record_count, 3); }},
      {"fewer records than offsets", [](uint8_t* at, auto& f) { store_le<int32_t>(at + f.record_count, 0); }},
      {"largest delta", [](uint8_t* at, auto& f) { store_le<int32_t>(at + f.last_offset_delta, INT32_MAX); }},
      {"negative base offset", [](uint8_t* at, auto&) { store_le<int64_t>(at, -1); }},
      {"base offset without a next", [](uint8_t* at, auto&) { store_le<int64_t>(at, INT64_MAX - 1); }},
  };
  for (LogMagic magic : {LogMagic::kV0, LogMagic::kV1, LogMagic::kV2}) {
    ASSERT_TRUE(LogBatchView::parse(changed_batch(magic, [](uint8_t*, auto&) {})).ok());
    for (const auto& [what, change] : changes) {
      EXPECT_EQ(LogBatchView::parse(changed_batch(magic, change)).code(), ErrorCode::kCorruptRecord) << what;
    }
  }
}

// The statistics must lie inside the batch.
TEST(LogBatch, RefusesStatisticsOutsideTheBatch) {
  for (int32_t size : {-1, INT32_MIN, INT32_MAX, 17}) {
    Buffer bytes = changed_batch(LogMagic::kV1,
                                 [size](uint8_t* at, auto& f) { store_le(at + f.statistics_size, size); });
    ASSERT_EQ(bytes.size(), 52u + 16u);
    EXPECT_EQ(LogBatchView::parse(bytes).code(), ErrorCode::kCorruptRecord) << size;
  }
}

// A batch cut at any length is reported as cut off (3), never read behind its end; its header alone is enough
// for LogBatchHeader.
TEST(LogBatch, ReportsEveryCut) {
  for (const std::string& name : golden_batch_names()) {
    Buffer whole = golden_batch(name);
    size_t header = view_of(whole).header().header_size();
    for (size_t size = 0; size < whole.size(); ++size) {
      Buffer cut(whole.begin(), whole.begin() + static_cast<ptrdiff_t>(size));
      cut.shrink_to_fit();
      EXPECT_EQ(LogBatchView::parse(cut).code(), ErrorCode::kCorruptMessage) << name << " at " << size;
      EXPECT_EQ(LogBatchHeader::parse(cut).ok(), size >= header) << name << " at " << size;
      EXPECT_FALSE(is_complete_log_batch(cut));
    }
    EXPECT_TRUE(is_complete_log_batch(whole));
  }
}

// Flipping any bit that the CRC covers is noticed; flipping any other never crashes and is noticed unless it
// is in the fields that the leader sets (base offset, timestamp) or turns magic 0 into 1 and back: the CRC
// does not cover the magic, and the two differ only in where the records start.
TEST(LogBatch, NoticesEveryFlippedBit) {
  constexpr size_t kLowestMagicBit = layout::kMagic * 8;
  for (const std::string& name : golden_batch_names()) {
    Buffer whole = golden_batch(name);
    for (size_t bit = 0; bit < whole.size() * 8; ++bit) {
      Buffer flipped = whole;
      flipped[bit / 8] ^= static_cast<uint8_t>(1 << (bit % 8));
      Result<LogBatchView> parsed = LogBatchView::parse(flipped);
      bool accepted = parsed.ok() && parsed->crc_ok();
      bool set_by_leader = bit / 8 < 8 || (bit / 8 >= 13 && bit / 8 < 21);
      EXPECT_TRUE(!accepted || set_by_leader || bit == kLowestMagicBit) << name << " bit " << bit;
    }
  }
}

// Iteration over concatenated batches ends with the bytes; a cut last batch is an end or an error, as the
// caller says.
TEST(LogBatchIterator, StepsOverBatchesAndTreatsTheTailAsAsked) {
  Buffer bytes = golden_batch("arrow");
  size_t first = bytes.size();
  append(bytes, golden_batch("arrow_statistics"));
  size_t both = bytes.size();
  append(bytes, ByteView(golden_batch("indexed")).first(50));

  LogBatchIterator lenient(bytes, PartialTail::kAllowed);
  ASSERT_TRUE(lenient.next().value());
  EXPECT_EQ(lenient.position(), 0u);
  ASSERT_TRUE(lenient.next().value());
  EXPECT_EQ(lenient.position(), first);
  EXPECT_EQ(lenient.batch().magic(), LogMagic::kV1);
  for (int again = 0; again < 2; ++again) {
    EXPECT_FALSE(lenient.next().value());
    EXPECT_EQ(lenient.position(), both);
  }

  LogBatchIterator strict(bytes, PartialTail::kError);
  ASSERT_TRUE(strict.next().value());
  ASSERT_TRUE(strict.next().value());
  EXPECT_EQ(strict.next().code(), ErrorCode::kCorruptMessage);
  EXPECT_EQ(strict.position(), first);

  LogBatchIterator exact(ByteView(bytes).first(both), PartialTail::kError);
  ASSERT_TRUE(exact.next().value());
  ASSERT_TRUE(exact.next().value());
  EXPECT_FALSE(exact.next().value());
}

// Garbage in the middle is an error even where a partial tail is allowed.
TEST(LogBatchIterator, StopsAtGarbage) {
  Buffer bytes = golden_batch("arrow");
  bytes.resize(bytes.size() + 100);
  LogBatchIterator batches(bytes, PartialTail::kAllowed);
  ASSERT_TRUE(batches.next().value());
  EXPECT_EQ(batches.next().code(), ErrorCode::kCorruptRecord);
}

// Row records that don't fit their batch, and bytes that no record owns, are errors.
TEST(RowRecords, RefusesRecordsThatDoNotFit) {
  Buffer bytes;
  append_row_record(bytes, ChangeType::kInsert, as_bytes("abc"));
  append_row_record(bytes, ChangeType::kDelete, as_bytes(""));
  EXPECT_EQ(to_hex(bytes), "04000000016162630100000004");
  for (size_t size = 0; size < bytes.size(); ++size) {
    RowRecordIterator records(ByteView(bytes).first(size), 2);
    Result<bool> moved = records.next();
    if (moved.ok()) moved = records.next();
    EXPECT_EQ(moved.code(), ErrorCode::kCorruptRecord) << size;
  }
  RowRecordIterator too_few(bytes, 1);
  ASSERT_TRUE(too_few.next().value());
  EXPECT_EQ(too_few.next().code(), ErrorCode::kCorruptRecord);
  bytes[4] = 0x05;
  EXPECT_EQ(RowRecordIterator(bytes, 2).next().code(), ErrorCode::kCorruptRecord);
}

// The statistics that Fluss wrote for (1,"a"), (2,null).
TEST(BatchStatistics, ReadsTheGoldenStatistics) {
  Buffer bytes = golden_batch("arrow_statistics");
  LogBatchView batch = view_of(bytes);
  ASSERT_EQ(batch.statistics().size(), 71u);
  BatchStatistics statistics = parse_statistics(batch.statistics(), 2).value();
  EXPECT_EQ(statistics.columns, (std::vector<int16_t>{0, 1}));
  EXPECT_EQ(statistics.null_counts, (std::vector<int32_t>{0, 1}));
  EXPECT_EQ(to_hex(statistics.min_row), "000000000000000001000000000000006100000000000081");
  EXPECT_EQ(to_hex(statistics.max_row), "000000000000000002000000000000006100000000000081");
}

// Statistics that are cut, of another version or of columns that the schema does not have are refused.
TEST(BatchStatistics, RefusesWhatIsNotWhole) {
  Buffer batch = golden_batch("arrow_statistics");
  ByteView whole = view_of(batch).statistics();
  for (size_t size = 0; size < whole.size(); ++size) {
    EXPECT_EQ(parse_statistics(whole.first(size), 2).code(), ErrorCode::kCorruptRecord) << size;
  }
  EXPECT_EQ(parse_statistics(whole, 1).code(), ErrorCode::kCorruptRecord);
  Buffer longer(whole.begin(), whole.end());
  longer.push_back(0);
  EXPECT_EQ(parse_statistics(longer, 2).code(), ErrorCode::kCorruptRecord);
  Buffer version(whole.begin(), whole.end());
  version[0] = 2;
  EXPECT_EQ(parse_statistics(version, 2).code(), ErrorCode::kCorruptRecord);
}

}  // namespace
}  // namespace strom::format
