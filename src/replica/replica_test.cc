// One bucket as leader and as follower: epochs, acknowledgements, the watermark, and what readers see.
#include "replica/replica.h"

#include <gtest/gtest.h>

#include "replica/replica_testing.h"

namespace strom::replica {
namespace {

using namespace std::chrono_literals;
using testing::BatchSpec;
using testing::bucket;
using testing::Offset;
using testing::ReplicaSite;

// A replica takes roles in the order of epochs: older orders are refused and change nothing, the same order
// may come twice.
TEST(Replica, TakesRolesByEpoch) {
  ReplicaSite site;
  auto replica = site.leader(bucket(), 3);
  EXPECT_TRUE(replica->is_leader());
  EXPECT_EQ(site.append(*replica, 2).value(), Offset(0));
  EXPECT_EQ(site.lead(ReplicaSite::order(bucket(), 3)), ErrorCode::kNone);
  EXPECT_EQ(replica->leader_start(), Offset(0)) << "the same epoch began where it began";
  EXPECT_EQ(site.lead(ReplicaSite::order(bucket(), 2, {0, 1}, 1)), ErrorCode::kFencedLeaderEpoch);
  EXPECT_EQ(site.lead(ReplicaSite::order(bucket(), 3, {0, 1}, 1, 2)), ErrorCode::kInvalidUpdateVersion);
  EXPECT_TRUE(replica->is_leader());

  EXPECT_EQ(site.lead(ReplicaSite::order(bucket(), 4, {0, 1}, 1)), ErrorCode::kNone);
  EXPECT_FALSE(replica->is_leader());
  EXPECT_EQ(site.append(*replica, 1).code(), ErrorCode::kNotLeaderOrFollower);
  EXPECT_EQ(site.fetch(*replica, {.from = Offset(0), .max_bytes = 1000}).code(),
            ErrorCode::kNotLeaderOrFollower);
  EXPECT_EQ(site.site.run(replica->last_records(1)).code(), ErrorCode::kNotLeaderOrFollower);
  EXPECT_EQ(replica->log().end_offset(), Offset(2));

  EXPECT_EQ(site.lead(ReplicaSite::order(bucket(), 5)), ErrorCode::kNone);
  EXPECT_EQ(replica->leader_epoch(), model::LeaderEpoch(5));
  EXPECT_EQ(replica->leader_start(), Offset(2));
}

// Alone in sync, a leader's watermark is its log's end, whatever the writer waits for.
TEST(Replica, AcknowledgesAlone) {
  ReplicaSite site;
  auto replica = site.leader();
  EXPECT_EQ(site.append(*replica, 1, Acks::kNone).value(), Offset(0));
  EXPECT_EQ(site.append(*replica, 2, Acks::kLeader).value(), Offset(1));
  EXPECT_EQ(site.append(*replica, 3, Acks::kAll).value(), Offset(3));
  EXPECT_EQ(replica->high_watermark(), Offset(6));
  EXPECT_EQ(ReplicaSite::batches(site.fetch(*replica, {.from = Offset(0), .max_bytes = 10000})->records),
            "0+1 1+2 3+3");
}

// With another replica in sync that has not confirmed, acks=1 is answered and acks=-1 is not; readers see
// neither (INV-2). When that replica leaves the ISR, what waits is answered and becomes visible.
TEST(Replica, WaitsForTheInSyncReplicas) {
  ReplicaSite site;
  ASSERT_EQ(site.lead(ReplicaSite::order(bucket(), 0, {0, 1})), ErrorCode::kNone);
  auto replica = site.find(bucket());
  EXPECT_EQ(site.append(*replica, 1, Acks::kLeader).value(), Offset(0));
  const async::Instant before = site.site.world.now();
  EXPECT_EQ(site.append(*replica, 1, Acks::kAll).code(), ErrorCode::kRequestTimeOut);
  EXPECT_EQ((site.site.world.now() - before).count(), async::Duration(1s).count());
  EXPECT_EQ(replica->log().end_offset(), Offset(2));
  EXPECT_EQ(replica->high_watermark(), Offset(0));
  auto read = site.fetch(*replica, {.from = Offset(0), .max_bytes = 10000, .at_least_one_batch = true});
  EXPECT_TRUE(read->records.empty());

  std::optional<Result<AppendAnswer>> answer;
  async::TaskScope scope(site.site.loop());
  scope.spawn(log::testing::keep_result(
      replica->append(log::testing::batch({.records = 1}), Acks::kAll, site.in(10s)), &answer));
  site.site.world.run_for(100ms);
  EXPECT_FALSE(answer.has_value());
  Leadership alone = ReplicaSite::order(bucket(), 0, {0}, 0, 1);
  ASSERT_EQ(site.lead(alone), ErrorCode::kNone);
  site.site.world.run_for(1ms);
  ASSERT_TRUE(answer.has_value());
  EXPECT_EQ((*answer)->base_offset, Offset(2));
  EXPECT_EQ(replica->high_watermark(), Offset(3));
}

// Whoever waits for replicas hears at once that the leader leads no more.
TEST(Replica, LosingTheLeadEndsWaits) {
  ReplicaSite site;
  ASSERT_EQ(site.lead(ReplicaSite::order(bucket(), 0, {0, 1})), ErrorCode::kNone);
  auto replica = site.find(bucket());
  std::optional<Result<AppendAnswer>> answer;
  async::TaskScope scope(site.site.loop());
  scope.spawn(log::testing::keep_result(
      replica->append(log::testing::batch({.records = 1}), Acks::kAll, site.in(10s)), &answer));
  site.site.world.run_for(100ms);
  ASSERT_FALSE(answer.has_value());
  ASSERT_EQ(site.lead(ReplicaSite::order(bucket(), 1, {0, 1}, 1)), ErrorCode::kNone);
  site.site.world.run_for(1ms);
  ASSERT_TRUE(answer.has_value());
  EXPECT_EQ(answer->code(), ErrorCode::kNotLeaderOrFollower);
}

// With fewer in-sync replicas than the minimum, acks=-1 is refused before anything is written, and the
// watermark stands.
TEST(Replica, AsksForEnoughReplicas) {
  ReplicaSite site(2);
  auto replica = site.leader();
  EXPECT_EQ(site.append(*replica, 1, Acks::kAll).code(), ErrorCode::kNotEnoughReplicas);
  EXPECT_EQ(replica->log().end_offset(), Offset(0));
  EXPECT_EQ(site.append(*replica, 1, Acks::kLeader).value(), Offset(0));
  EXPECT_EQ(replica->high_watermark(), Offset(0));
}

// A batch that is damaged or out of order is refused with the log's error and leaves no trace.
TEST(Replica, RefusesBadBatches) {
  ReplicaSite site;
  auto replica = site.leader();
  Buffer damaged = log::testing::make_batch({.records = 1});
  damaged.back() ^= 1;
  auto refused = site.site.run(replica->append(Slice::own(std::move(damaged)), Acks::kAll, site.in(1s)));
  EXPECT_EQ(refused.code(), ErrorCode::kCorruptRecord);
  auto gap = site.site.run(replica->append(log::testing::batch({.records = 1, .writer = 5, .sequence = 3}),
                                           Acks::kAll, site.in(1s)));
  EXPECT_EQ(gap.code(), ErrorCode::kOutOfOrderSequence);
  EXPECT_EQ(replica->high_watermark(), Offset(0));

  // The same batch twice is appended once, and answered with the same offset (INV-5).
  const BatchSpec once{.records = 2, .writer = 5, .sequence = 0};
  for (int attempt = 0; attempt < 2; ++attempt) {
    auto answer = site.site.run(replica->append(log::testing::batch(once), Acks::kAll, site.in(1s)));
    EXPECT_EQ(answer->base_offset, Offset(0));
  }
  EXPECT_EQ(replica->high_watermark(), Offset(2));
}

// A fetch gets whole batches from the one that contains its offset, within its bytes; the first may be larger
// if it asks.
TEST(Replica, FetchesWithinLimits) {
  ReplicaSite site;
  auto replica = site.leader();
  for (int i = 0; i < 3; ++i) site.append(*replica, 2).value();
  const size_t one = log::testing::make_batch({.records = 2}).size();
  auto fetch = [&](int64_t from, size_t max_bytes, bool at_least_one) {
    auto answer = site.fetch(
        *replica, {.from = Offset(from), .max_bytes = max_bytes, .at_least_one_batch = at_least_one});
    return answer.ok() ? ReplicaSite::batches(answer->records) : std::string(error_name(answer.code()));
  };
  EXPECT_EQ(fetch(0, 3 * one, false), "0+2 2+2 4+2");
  EXPECT_EQ(fetch(0, 3 * one - 1, false), "0+2 2+2");
  EXPECT_EQ(fetch(3, 2 * one, false), "2+2 4+2");
  EXPECT_EQ(fetch(0, one - 1, false), "");
  EXPECT_EQ(fetch(0, one - 1, true), "0+2");
  EXPECT_EQ(fetch(0, 0, false), "");
  EXPECT_EQ(fetch(0, 0, true), "0+2");
  EXPECT_EQ(fetch(6, 3 * one, true), "");
  EXPECT_EQ(fetch(7, 3 * one, true), "LOG_OFFSET_OUT_OF_RANGE_EXCEPTION");
  EXPECT_EQ(fetch(-1, 3 * one, true), "LOG_OFFSET_OUT_OF_RANGE_EXCEPTION");
  EXPECT_EQ(site.fetch(*replica, {.from = Offset(6), .max_bytes = 1})->high_watermark, Offset(6));
}

// Columns can be chosen in the ARROW format only, some at least, in ascending order, and only columns there
// are.
TEST(Replica, Projects) {
  ReplicaSite site;
  auto replica = site.leader();
  for (int first : {0, 3}) {
    auto answer =
        site.site.run(replica->append(Slice::own(testing::arrow_batch(first, 3)), Acks::kAll, site.in(1s)));
    ASSERT_TRUE(answer.ok()) << answer.error().message;
  }
  auto fetch = [&](std::vector<int32_t> columns, Replica& from) {
    return site.fetch(
        from, {.from = Offset(0), .max_bytes = 10000, .projection = std::move(columns), .project = true});
  };
  const size_t all = site.fetch(*replica, {.from = Offset(0), .max_bytes = 10000})->records.size();
  auto first = fetch({0}, *replica);
  ASSERT_TRUE(first.ok()) << first.error().message;
  EXPECT_EQ(ReplicaSite::batches(first->records), "0+3 3+3");
  EXPECT_LT(first->records.size(), all);
  EXPECT_EQ(fetch({0, 1}, *replica)->records.size(), all);
  EXPECT_EQ(fetch({}, *replica).code(), ErrorCode::kInvalidColumnProjection);
  EXPECT_EQ(fetch({1, 0}, *replica).code(), ErrorCode::kInvalidColumnProjection);
  EXPECT_EQ(fetch({2}, *replica).code(), ErrorCode::kInvalidColumnProjection);
  EXPECT_EQ(fetch({-1}, *replica).code(), ErrorCode::kInvalidColumnProjection);

  auto rows = site.leader(bucket(0, 8));
  EXPECT_EQ(fetch({0}, *rows).code(), ErrorCode::kInvalidColumnProjection);
}

// Offsets by time: the first batch that was committed then or later, the watermark behind the last, never the
// future.
TEST(Replica, FindsOffsetsByTime) {
  ReplicaSite site;
  auto replica = site.leader();
  std::vector<model::Timestamp> times;
  for (int i = 0; i < 3; ++i) {
    site.site.world.run_for(1s);
    times.push_back(model::Timestamp(site.site.runtime->clock().wall_ms()));
    site.append(*replica, 2).value();
  }
  site.site.world.run_for(1s);
  const model::Timestamp now(site.site.runtime->clock().wall_ms());
  auto find = [&](model::Timestamp time) { return site.site.run(replica->offset_at(time, now)); };
  EXPECT_EQ(find(model::Timestamp(0)).value(), Offset(0));
  EXPECT_EQ(find(times[0]).value(), Offset(0));
  EXPECT_EQ(find(times[1]).value(), Offset(2));
  EXPECT_EQ(find(times[1] + 500).value(), Offset(4));
  EXPECT_EQ(find(now).value(), Offset(6));
  EXPECT_EQ(find(now + 1).code(), ErrorCode::kInvalidTimestamp);
}

// The last records come in whole batches, perhaps with some before them; a limit below zero is refused.
TEST(Replica, ReadsTheLastRecords) {
  ReplicaSite site;
  auto replica = site.leader();
  auto last = [&](int64_t limit) {
    return ReplicaSite::batches(*site.site.run(replica->last_records(limit)));
  };
  EXPECT_EQ(last(5), "");
  for (int i = 0; i < 3; ++i) site.append(*replica, 2).value();
  EXPECT_EQ(last(1), "4+2");
  EXPECT_EQ(last(3), "2+2 4+2");
  EXPECT_EQ(last(100), "0+2 2+2 4+2");
  EXPECT_EQ(last(INT64_MAX), "0+2 2+2 4+2");
  EXPECT_EQ(last(0), "");
  EXPECT_EQ(site.site.run(replica->last_records(-1)).code(), ErrorCode::kLogOffsetOutOfRange);
  EXPECT_EQ(site.site.run(replica->last_records(INT64_MIN)).code(), ErrorCode::kLogOffsetOutOfRange);
}

}  // namespace
}  // namespace strom::replica
