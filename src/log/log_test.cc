// Log on a simulated machine: appending, reading, rolling. Truncation and retention are in
// log_changes_test.cc, what a crash does in log_recovery_test.cc.
#include "log/log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "async/join.h"
#include "log/log_testing.h"

namespace strom::log {
namespace {

using async::Started;
using model::Offset;
using model::Timestamp;
using testing::append_to;
using testing::bases_of;
using testing::batch;
using testing::fill;
using testing::headers_of;
using testing::kNoBound;
using testing::numbers;
using testing::read_all;
using testing::SimSite;
using testing::small_segments;

// A new log starts at 0; offsets count records, and the header that is read back has them and the time of the
// append.
TEST(Log, AppendAndRead) {
  SimSite site(1);
  auto log = site.log();
  EXPECT_EQ(log->start_offset(), Offset(0));
  EXPECT_EQ(log->end_offset(), Offset(0));
  EXPECT_EQ(log->max_timestamp(), model::kNoTimestamp);

  const int64_t now = site.runtime->clock().wall_ms();
  AppendResult first = append_to(site, *log, batch({.records = 3}));
  EXPECT_EQ(first.base_offset, Offset(0));
  EXPECT_EQ(first.next_offset, Offset(3));
  EXPECT_GE(first.timestamp, Timestamp(now));
  AppendResult second = append_to(
      site, *log,
      testing::concatenated({testing::make_batch({.records = 2}), testing::make_batch({.records = 4})}));
  EXPECT_EQ(second.base_offset, Offset(3));
  EXPECT_EQ(second.next_offset, Offset(9));
  EXPECT_EQ(log->end_offset(), Offset(9));

  ReadResult all =
      site.run(log->read({.from = Offset(0), .upper_bound = kNoBound, .check_crc = true})).value();
  EXPECT_EQ(bases_of(all.records), (std::vector<int64_t>{0, 3, 5}));
  EXPECT_EQ(all.next_offset, Offset(9));
  EXPECT_EQ(headers_of(all.records)[1].commit_timestamp, second.timestamp);
  EXPECT_EQ(headers_of(all.records)[2].commit_timestamp, second.timestamp);
  EXPECT_EQ(log->max_timestamp(), second.timestamp);
  site.close(std::move(log));
}

// Reads begin with the batch that contains the offset, end at whole batches below the bound, and keep to the
// size, except for a first batch that must be delivered.
TEST(Log, ReadBounds) {
  SimSite site(2);
  auto log = site.log();
  for (int i = 0; i < 4; ++i) append_to(site, *log, batch({.records = 3}));
  const size_t size = testing::make_batch({.records = 3}).size();
  auto read = [&](ReadRequest request) { return site.run(log->read(request)); };

  EXPECT_EQ(bases_of(read({.from = Offset(4), .upper_bound = kNoBound}).value().records),
            (std::vector<int64_t>{3, 6, 9}));
  EXPECT_EQ(bases_of(read({.from = Offset(0), .upper_bound = Offset(8)}).value().records),
            (std::vector<int64_t>{0, 3}));
  EXPECT_EQ(
      bases_of(read({.from = Offset(0), .upper_bound = kNoBound, .max_bytes = 3 * size - 1}).value().records),
      (std::vector<int64_t>{0, 3}));
  EXPECT_EQ(bases_of(read({.from = Offset(0), .upper_bound = kNoBound, .max_bytes = 1}).value().records),
            (std::vector<int64_t>{0}));
  ReadRequest strict{
      .from = Offset(0), .upper_bound = kNoBound, .max_bytes = size - 1, .at_least_one_batch = false};
  EXPECT_TRUE(read(strict).value().records.empty());

  // The bound is inside the only batch, at the position, or before it.
  for (int64_t bound : {5, 4, 3, 0}) {
    ReadResult none = read({.from = Offset(4), .upper_bound = Offset(bound)}).value();
    EXPECT_TRUE(none.records.empty()) << bound;
    EXPECT_EQ(none.next_offset, Offset(4)) << bound;
  }
  EXPECT_TRUE(read({.from = Offset(12), .upper_bound = kNoBound}).value().records.empty());
  EXPECT_EQ(read({.from = Offset(13), .upper_bound = kNoBound}).code(), ErrorCode::kLogOffsetOutOfRange);
  EXPECT_EQ(read({.from = Offset(-1), .upper_bound = kNoBound}).code(), ErrorCode::kLogOffsetOutOfRange);
  site.close(std::move(log));
}

// Segments roll by size, a batch that is larger than a segment gets its own, and every offset is read from
// wherever one begins (index look-ups), in small steps and in large ones.
TEST(Log, RollsAndReadsEverywhere) {
  SimSite site(3, small_segments());
  auto log = site.log();
  fill(site, *log, 60);
  append_to(site, *log, batch({.payload = 5000}));
  fill(site, *log, 60);
  EXPECT_GT(log->segments().size(), 8u);
  for (const SegmentInfo& segment : log->segments()) {
    EXPECT_TRUE(segment.bytes <= 1000 || segment.end_offset - segment.base_offset == 1)
        << segment.base_offset.value;
  }
  EXPECT_EQ(read_all(site, *log, Offset(0)), numbers(0, 121));
  EXPECT_EQ(read_all(site, *log, Offset(0), 200), numbers(0, 121));
  for (int64_t from = 120; from >= 0; from -= 7) {
    EXPECT_EQ(read_all(site, *log, Offset(from)), numbers(from, 121)) << from;
  }
  site.close(std::move(log));
}

// An index that is full ends the segment, too.
TEST(Log, RollsWhenTheIndexIsFull) {
  SimSite site(4, {.index_file_bytes = 36, .index_interval_bytes = 0});
  auto log = site.log();
  fill(site, *log, 20);
  EXPECT_GT(log->segments().size(), 3u);
  EXPECT_EQ(read_all(site, *log, Offset(0)), numbers(0, 20));
  site.close(std::move(log));
}

// Damaged records are refused as a whole, and nothing of them is in the log: a flipped bit, a cut tail, no
// batch.
TEST(Log, RefusesDamagedRecords) {
  SimSite site(5);
  auto log = site.log();
  const Buffer good = testing::make_batch({.records = 2});
  auto append_bytes = [&](Buffer bytes) {
    return site.run(log->append_as_leader(Slice::own(std::move(bytes)))).code();
  };
  Buffer flipped = good;
  flipped.back() ^= 1;
  EXPECT_EQ(append_bytes(flipped), ErrorCode::kCorruptRecord);
  Buffer second_flipped = good;
  strom::append(second_flipped, flipped);
  EXPECT_EQ(append_bytes(second_flipped), ErrorCode::kCorruptRecord);
  for (size_t size = 0; size < good.size(); ++size) {
    EXPECT_EQ(append_bytes(Buffer(good.begin(), good.begin() + static_cast<ptrdiff_t>(size))),
              ErrorCode::kCorruptRecord);
  }
  EXPECT_EQ(log->end_offset(), Offset(0));
  EXPECT_EQ(append_bytes(good), ErrorCode::kNone);
  EXPECT_EQ(log->end_offset(), Offset(2));
  site.close(std::move(log));
}

// Several appends in flight get offsets in the order of the calls, and the end moves in that order.
TEST(Log, AppendsInFlight) {
  SimSite site(6, small_segments());
  auto log = site.log();
  std::vector<Started<Result<AppendResult>>> started;
  site.loop().post([&] {
    for (int i = 0; i < 50; ++i) {
      started.push_back(async::start(site.loop(), log->append_as_leader(batch({.records = 2}))));
    }
  });
  int64_t end = 0;
  ASSERT_TRUE(site.world.run_until(
      [&] {
        EXPECT_GE(log->end_offset(), Offset(end));
        end = log->end_offset().value;
        return end == 100;
      },
      std::chrono::seconds(10)));
  for (int i = 0; i < 50; ++i) {
    EXPECT_EQ(site.run(started[static_cast<size_t>(i)].join()).value().base_offset, Offset(2 * i));
  }
  EXPECT_EQ(read_all(site, *log, Offset(0)).size(), 50u);
  site.close(std::move(log));
}

// A batch that is sent again while the original is in flight is answered when that is written, with its
// offset.
TEST(Log, DuplicateOfABatchInFlight) {
  SimSite site(7);
  auto log = site.log();
  fill(site, *log, 3);
  std::vector<Started<Result<AppendResult>>> started;
  site.loop().post([&] {
    for (int i = 0; i < 2; ++i) {
      started.push_back(async::start(
          site.loop(), log->append_as_leader(batch({.records = 4, .writer = 9, .sequence = 0}))));
    }
    EXPECT_FALSE(started[1].done());
  });
  site.world.run_for(std::chrono::seconds(1));
  AppendResult first = site.run(started[0].join()).value();
  AppendResult second = site.run(started[1].join()).value();
  EXPECT_FALSE(first.duplicate);
  EXPECT_TRUE(second.duplicate);
  EXPECT_EQ(second.base_offset, Offset(3));
  EXPECT_EQ(second.next_offset, Offset(7));
  EXPECT_EQ(second.timestamp, first.timestamp);
  EXPECT_EQ(log->end_offset(), Offset(7));
  site.close(std::move(log));
}

// One duplicate makes the whole append one; a gap refuses all of it (INV-5).
TEST(Log, WriterChecksOfSeveralBatches) {
  SimSite site(8);
  auto log = site.log();
  auto of = [](int32_t sequence) { return testing::make_batch({.writer = 9, .sequence = sequence}); };
  EXPECT_EQ(append_to(site, *log, testing::concatenated({of(0), of(1)})).next_offset, Offset(2));
  EXPECT_TRUE(append_to(site, *log, testing::concatenated({of(1), of(2)})).duplicate);
  EXPECT_EQ(site.run(log->append_as_leader(testing::concatenated({of(2), of(4)}))).code(),
            ErrorCode::kOutOfOrderSequence);
  EXPECT_EQ(log->end_offset(), Offset(2));
  EXPECT_EQ(append_to(site, *log, batch({.writer = 9, .sequence = 2})).base_offset, Offset(2));
  site.close(std::move(log));
}

// A follower keeps offsets and timestamps, takes only what continues its end, and leaves it unchanged
// otherwise.
TEST(Log, FollowerKeepsWhatTheLeaderWrote) {
  SimSite site(9, small_segments());
  auto leader = site.log(0);
  auto follower = site.log(1);
  for (int i = 0; i < 30; ++i) append_to(site, *leader, batch({.records = 2, .writer = 5, .sequence = i}));
  Offset at{0};
  while (at < leader->end_offset()) {
    ReadResult read = site.run(leader->read({.from = at, .upper_bound = kNoBound, .max_bytes = 300})).value();
    EXPECT_EQ(site.run(follower->append_as_follower(read.records)).value().base_offset, at);
    EXPECT_EQ(site.run(follower->append_as_follower(read.records)).code(), ErrorCode::kLogOffsetOutOfRange);
    at = read.next_offset;
  }
  EXPECT_EQ(follower->end_offset(), leader->end_offset());
  EXPECT_EQ(follower->max_timestamp(), leader->max_timestamp());
  // The follower becomes the leader: the writer goes on where it was.
  EXPECT_TRUE(append_to(site, *follower, batch({.records = 2, .writer = 5, .sequence = 29})).duplicate);
  EXPECT_FALSE(append_to(site, *follower, batch({.records = 2, .writer = 5, .sequence = 30})).duplicate);
  site.close(std::move(leader));
  site.close(std::move(follower));
}

// The first batch with at least a timestamp is found in every segment; after the last there is none (D-117).
TEST(Log, OffsetForTimestamp) {
  SimSite site(10, small_segments());
  auto log = site.log();
  std::vector<AppendResult> results;
  for (int i = 0; i < 60; ++i) {
    results.push_back(append_to(site, *log, batch({.records = 2})));
    site.world.run_for(std::chrono::milliseconds(i % 3 * 5));  // some batches share a millisecond
  }
  ASSERT_GT(log->segments().size(), 4u);
  auto find = [&](Timestamp timestamp) { return site.run(log->offset_for_timestamp(timestamp)).value(); };
  for (const AppendResult& result : results) {
    auto first =
        std::ranges::find_if(results, [&](const AppendResult& r) { return r.timestamp >= result.timestamp; });
    EXPECT_EQ(find(result.timestamp), first->base_offset);
    auto after =
        std::ranges::find_if(results, [&](const AppendResult& r) { return r.timestamp > result.timestamp; });
    auto expected = after == results.end() ? std::nullopt : std::optional(after->base_offset);
    EXPECT_EQ(find(result.timestamp.next()), expected);
  }
  EXPECT_EQ(find(Timestamp(0)), Offset(0));
  site.close(std::move(log));
}

// Commit timestamps never go back, also when the newest batch came from a leader with a clock that is ahead.
TEST(Log, TimestampsNeverGoBack) {
  SimSite site(11);
  auto log = site.log();
  const int64_t ahead = site.runtime->clock().wall_ms() + 3'600'000;
  site.run(log->append_as_follower(batch({.timestamp = ahead}))).value();
  EXPECT_EQ(append_to(site, *log, batch({})).timestamp, Timestamp(ahead));
  site.close(std::move(log));
  log = site.log();
  EXPECT_EQ(append_to(site, *log, batch({})).timestamp, Timestamp(ahead));
  site.close(std::move(log));
}

// Waiting readers are woken by an append, after the end has moved.
TEST(Log, WakesReaders) {
  SimSite site(12);
  auto log = site.log();
  bool woken = false;
  auto wait = [](Log& of, bool& flag) -> async::Task<Offset> {
    async::WaitResult result = co_await of.appended().wait(async::Deadline{});
    flag = result == async::WaitResult::kReady;
    co_return of.end_offset();
  };
  std::optional<Started<Offset>> reader;
  site.loop().post([&] { reader.emplace(site.loop(), wait(*log, woken)); });
  site.world.run_for(std::chrono::seconds(1));
  EXPECT_FALSE(woken);
  append_to(site, *log, batch({}));
  EXPECT_EQ(site.run(reader->join()), Offset(1));
  EXPECT_TRUE(woken);
  site.close(std::move(log));
}

}  // namespace
}  // namespace strom::log
