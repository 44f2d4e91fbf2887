#include "log/writer_state.h"

#include <gtest/gtest.h>

#include "log/writer_snapshot.h"

namespace strom::log {
namespace {

using model::BatchSequence;
using model::Offset;
using model::Timestamp;
using model::WriterId;

constexpr WriterId kWriter{42};

WrittenBatch written(int32_t sequence, int64_t offset) {
  return {BatchSequence(sequence), Offset(offset), 0, Timestamp(1000 + offset)};
}

Result<std::optional<WrittenBatch>> append(WriterState& state, int32_t sequence, int64_t offset,
                                           AppendOrigin origin = AppendOrigin::kLeader,
                                           WriterId writer = kWriter) {
  WriterStateUpdate update(state, origin);
  auto result = update.add(writer, written(sequence, offset));
  if (result.ok() && !*result) update.commit();
  return result;
}

// A writer that is not known must start at 0 on the leader; a follower takes whatever its leader took.
TEST(WriterState, NewWriter) {
  WriterState state;
  EXPECT_EQ(append(state, 3, 0).code(), ErrorCode::kOutOfOrderSequence);
  EXPECT_EQ(state.size(), 0u);
  EXPECT_TRUE(append(state, 0, 0).ok());
  EXPECT_TRUE(append(state, 3, 1, AppendOrigin::kFollower, WriterId(43)).ok());
  EXPECT_EQ(state.size(), 2u);
}

// D-41: the last five batches are duplicates with their original offsets; an older one is out of order.
TEST(WriterState, WindowOfFive) {
  WriterState state;
  for (int32_t i = 0; i < 8; ++i) ASSERT_TRUE(append(state, i, 100 + i).ok());
  for (int32_t i = 3; i < 8; ++i) {
    auto original = append(state, i, 200).value();
    ASSERT_TRUE(original.has_value()) << i;
    EXPECT_EQ(original->last_offset, Offset(100 + i));
  }
  EXPECT_EQ(append(state, 2, 200).code(), ErrorCode::kOutOfOrderSequence);
  EXPECT_FALSE(append(state, 8, 200).value().has_value());
}

// D-42: with batch 9 late, 10 and 11 are refused and change nothing; after 9 they are taken, in order.
TEST(WriterState, GapThenResend) {
  WriterState state;
  for (int32_t i = 0; i < 9; ++i) ASSERT_TRUE(append(state, i, i).ok());
  EXPECT_EQ(append(state, 10, 9).code(), ErrorCode::kOutOfOrderSequence);
  EXPECT_EQ(append(state, 11, 9).code(), ErrorCode::kOutOfOrderSequence);
  for (int32_t i = 9; i < 12; ++i) EXPECT_TRUE(append(state, i, i).ok()) << i;
}

// After the greatest sequence comes 0, and the window reaches across.
TEST(WriterState, SequenceWraps) {
  WriterState state;
  state.restore(kWriter, written(INT32_MAX - 1, 10));
  ASSERT_TRUE(append(state, INT32_MAX, 11).ok());
  EXPECT_EQ(append(state, 1, 12).code(), ErrorCode::kOutOfOrderSequence);
  ASSERT_TRUE(append(state, 0, 12).ok());
  EXPECT_EQ(append(state, INT32_MAX, 13).value()->last_offset, Offset(11));
  EXPECT_TRUE(append(state, 1, 13).ok());
}

// A follower must never see a batch twice: it says so instead of answering with the original.
TEST(WriterState, FollowerRefusesDuplicates) {
  WriterState state;
  ASSERT_TRUE(append(state, 0, 0, AppendOrigin::kFollower).ok());
  EXPECT_EQ(append(state, 0, 1, AppendOrigin::kFollower).code(), ErrorCode::kDuplicateSequence);
  EXPECT_EQ(append(state, 2, 1, AppendOrigin::kFollower).code(), ErrorCode::kOutOfOrderSequence);
}

// Several batches of one append see each other, and nothing is kept unless the append is committed.
TEST(WriterState, UpdateIsAllOrNothing) {
  WriterState state;
  {
    WriterStateUpdate update(state, AppendOrigin::kLeader);
    ASSERT_TRUE(update.add(kWriter, written(0, 0)).ok());
    ASSERT_TRUE(update.add(kWriter, written(1, 1)).ok());
    EXPECT_EQ(update.add(kWriter, written(3, 2)).code(), ErrorCode::kOutOfOrderSequence);
  }
  EXPECT_EQ(state.size(), 0u);
  EXPECT_TRUE(append(state, 0, 0).ok());
}

// Writers whose last batch is older than the limit are forgotten, the others stay.
TEST(WriterState, Expiry) {
  WriterState state;
  ASSERT_TRUE(append(state, 0, 10).ok());
  ASSERT_TRUE(append(state, 0, 20, AppendOrigin::kLeader, WriterId(43)).ok());
  EXPECT_EQ(state.expire(Timestamp(1020)), 1u);
  EXPECT_EQ(append(state, 1, 30).code(), ErrorCode::kOutOfOrderSequence);
  EXPECT_TRUE(append(state, 1, 30, AppendOrigin::kLeader, WriterId(43)).ok());
}

// The snapshot is the document that Fluss writes, with one more member, and gives back each writer's window
// (INV-5).
TEST(WriterSnapshot, RoundTrip) {
  WriterState state;
  for (int32_t i = 0; i < 6; ++i) ASSERT_TRUE(append(state, i, 94 + i).ok());
  state.restore(WriterId(1), {BatchSequence(5), Offset(80), 9, Timestamp(17000)});
  WriterSnapshot snapshot = make_writer_snapshot(state, Offset(100));
  EXPECT_EQ(snapshot.json,
            R"({"version":1,"writer_id_entries":[)"
            R"({"writer_id":1,"last_batch_sequence":5,"last_batch_base_offset":80,"offset_delta":9,)"
            R"("last_batch_timestamp":17000},)"
            R"({"writer_id":42,"last_batch_sequence":5,"last_batch_base_offset":99,"offset_delta":0,)"
            R"("last_batch_timestamp":1099,"earlier_batches":[)"
            R"({"sequence":1,"last_offset":95,"offset_delta":0,"timestamp":1095},)"
            R"({"sequence":2,"last_offset":96,"offset_delta":0,"timestamp":1096},)"
            R"({"sequence":3,"last_offset":97,"offset_delta":0,"timestamp":1097},)"
            R"({"sequence":4,"last_offset":98,"offset_delta":0,"timestamp":1098}]}]})");
  WriterState loaded = parse_writer_snapshot(snapshot.json, Offset(100)).value();
  EXPECT_EQ(loaded.size(), 2u);
  EXPECT_EQ(loaded.windows().at(kWriter).last(), written(5, 99));
  for (int32_t i = 1; i < 6; ++i) EXPECT_EQ(append(loaded, i, 100).value()->last_offset, Offset(94 + i));
  EXPECT_EQ(append(loaded, 0, 100).code(), ErrorCode::kOutOfOrderSequence);
  EXPECT_TRUE(append(loaded, 6, 100).ok());
}

// Whatever is no snapshot of that offset is refused: cut at each byte, other documents, numbers that can't
// be.
TEST(WriterSnapshot, RefusesDamage) {
  WriterState state;
  state.restore(kWriter, written(5, 99));
  const std::string json = make_writer_snapshot(state, Offset(100)).json;
  ASSERT_TRUE(parse_writer_snapshot(json, Offset(100)).ok());
  for (size_t size = 0; size < json.size(); ++size) {
    EXPECT_FALSE(parse_writer_snapshot(std::string_view(json).substr(0, size), Offset(100)).ok()) << size;
  }
  EXPECT_FALSE(parse_writer_snapshot(json, Offset(99)).ok());  // a batch behind its end
  EXPECT_FALSE(parse_writer_snapshot(std::string(200, '\0'), Offset(100)).ok());
  EXPECT_FALSE(parse_writer_snapshot("[]", Offset(100)).ok());
  EXPECT_FALSE(parse_writer_snapshot(R"({"version":2,"writer_id_entries":[]})", Offset(100)).ok());
  EXPECT_FALSE(parse_writer_snapshot(R"({"version":1,"writer_id_entries":[7]})", Offset(100)).ok());
  EXPECT_FALSE(parse_writer_snapshot(R"({"version":1})", Offset(100)).ok());
  const std::string_view entry =
      R"({{"version":1,"writer_id_entries":[{{"writer_id":1,"last_batch_sequence":5,"last_batch_base_offset":9,)"
      R"("offset_delta":0,"last_batch_timestamp":1,"earlier_batches":{}}}]}})";
  const std::string batch = R"({"sequence":4,"last_offset":8,"offset_delta":0,"timestamp":1})";
  auto with = [&](const std::string& earlier) { return fmt::format(fmt::runtime(entry), earlier); };
  EXPECT_TRUE(parse_writer_snapshot(with("[" + batch + "]"), Offset(100)).ok());
  EXPECT_FALSE(parse_writer_snapshot(with("[" + batch + "]"), Offset(8)).ok());
  EXPECT_FALSE(parse_writer_snapshot(with(batch), Offset(100)).ok());
  EXPECT_FALSE(parse_writer_snapshot(with("[{}]"), Offset(100)).ok());
  EXPECT_FALSE(parse_writer_snapshot(with(fmt::format("[{0},{0},{0},{0},{0}]", batch)), Offset(100)).ok());
}

}  // namespace
}  // namespace strom::log
