// The replicas of a shard: orders, errors, deletion, restarts, and fetches that wait.
#include "replica/replica_set.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "async/join.h"
#include "replica/replica_testing.h"

namespace strom::replica {
namespace {

using namespace std::chrono_literals;
using testing::bucket;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::Offset;
using testing::ReplicaSite;
using testing::TableBucket;

constexpr std::string_view kFirstSegment = "00000000000000000000.log";

// Files of a bucket of db.t, or of one that is being deleted.
std::vector<std::string> files_of(ReplicaSite& site, int32_t number) {
  std::vector<std::string> found;
  for (const std::string& file : site.site.disk().files()) {
    if (file.find(fmt::format("/log-{}", number)) != std::string::npos) found.push_back(file);
  }
  return found;
}

ErrorCode stop(ReplicaSite& site, TableBucket bucket, bool delete_data, int32_t epoch = 0) {
  std::vector<ReplicaStop> stops{{bucket, delete_data, model::LeaderEpoch(epoch)}};
  const BucketErrors errors = site.site.run(site.set->stop_replicas(std::move(stops)));
  return errors.empty() ? ErrorCode::kNone : errors.front().second.code;
}

std::string counts(const ReplicaSite& site) {
  const ReplicaCounts counts = site.set->counts();
  return fmt::format("online={} leaders={} offline={}", counts.online, counts.leaders, counts.offline);
}

// A request for a bucket that isn't here learns whether another server has it or nobody.
TEST(ReplicaSet, SaysWhyABucketIsNotHere) {
  ReplicaSite site;
  EXPECT_EQ(site.set->find(bucket(0)).code(), ErrorCode::kUnknownTableOrBucket);
  site.known.insert(bucket(0));
  EXPECT_EQ(site.set->find(bucket(0)).code(), ErrorCode::kNotLeaderOrFollower);
  site.leader(bucket(0));
  EXPECT_TRUE(site.set->find(bucket(0)).ok());
  EXPECT_EQ(counts(site), "online=1 leaders=1 offline=0");
}

// Orders are carried out one by one: those that can't be are named, the others take place.
TEST(ReplicaSet, NamesTheBucketsThatFail) {
  ReplicaSite site;
  std::vector<Leadership> orders;
  orders.push_back(ReplicaSite::order(bucket(0), 0));
  orders.push_back(ReplicaSite::order(bucket(1), 0, {1}, 1));  // of another server
  orders.push_back(ReplicaSite::order(bucket(0, 99), 0));      // of no table
  orders.push_back(ReplicaSite::order(bucket(2), 0, {0, 1}, 1));
  const BucketErrors errors = site.site.run(site.set->lead_or_follow(std::move(orders)));
  ASSERT_EQ(errors.size(), 2u);
  EXPECT_EQ(errors[0].first, bucket(1));
  EXPECT_EQ(errors[0].second.code, ErrorCode::kUnknownTableOrBucket);
  EXPECT_EQ(errors[1].first, bucket(0, 99));
  EXPECT_EQ(errors[1].second.code, ErrorCode::kTableNotExist);
  EXPECT_EQ(counts(site), "online=2 leaders=1 offline=1");
  EXPECT_EQ(site.set->find(bucket(0, 99)).code(), ErrorCode::kStorage);
  // When the reason is gone, the next order heals it.
  site.tables->tables[model::TableId(99)] = site.tables->tables[model::TableId(7)];
  EXPECT_EQ(site.lead(ReplicaSite::order(bucket(0, 99), 0)), ErrorCode::kNone);
  EXPECT_EQ(counts(site), "online=3 leaders=2 offline=0");
}

// A bucket's log is opened once, also when an order comes again while the first one is being carried out.
TEST(ReplicaSet, CarriesOutOrdersOfABucketOneAfterTheOther) {
  ReplicaSite site;
  std::vector<Leadership> twice{ReplicaSite::order(bucket(0), 0), ReplicaSite::order(bucket(0), 1)};
  std::optional<BucketErrors> first, second, stopped;
  async::TaskScope scope(site.site.loop());
  scope.spawn(log::testing::keep_result(site.set->lead_or_follow(twice), &first));
  scope.spawn(
      log::testing::keep_result(site.set->lead_or_follow({ReplicaSite::order(bucket(0), 2)}), &second));
  site.site.world.run_for(1s);
  ASSERT_TRUE(first && second);
  EXPECT_TRUE(first->empty());
  EXPECT_TRUE(second->empty());
  EXPECT_EQ(site.find(bucket(0))->leader_epoch(), model::LeaderEpoch(2));

  // A stop that comes while the replica is being opened stops it.
  scope.spawn(
      log::testing::keep_result(site.set->lead_or_follow({ReplicaSite::order(bucket(1), 0)}), &first));
  std::vector<ReplicaStop> stops{{bucket(1), true, model::LeaderEpoch(0)}};
  scope.spawn(log::testing::keep_result(site.set->stop_replicas(std::move(stops)), &stopped));
  site.site.world.run_for(1s);
  ASSERT_TRUE(stopped.has_value());
  EXPECT_TRUE(stopped->empty());
  EXPECT_EQ(site.set->find(bucket(1)).code(), ErrorCode::kUnknownTableOrBucket);
  EXPECT_THAT(files_of(site, 1), IsEmpty());
}

async::Task<bool> close_all(ReplicaSet& set) {
  co_await set.close();
  co_return true;
}

// Closing waits for what is being opened, and nothing is opened after it.
TEST(ReplicaSet, ClosesWhatIsBeingOpened) {
  ReplicaSite site;
  std::optional<BucketErrors> opened;
  std::optional<bool> closed;
  async::TaskScope scope(site.site.loop());
  scope.spawn(
      log::testing::keep_result(site.set->lead_or_follow({ReplicaSite::order(bucket(0), 0)}), &opened));
  scope.spawn(log::testing::keep_result(close_all(*site.set), &closed));
  site.site.world.run_for(1s);
  EXPECT_TRUE(opened.has_value());
  EXPECT_TRUE(closed.has_value());
  EXPECT_EQ(counts(site), "online=0 leaders=0 offline=0");
  EXPECT_EQ(site.lead(ReplicaSite::order(bucket(1), 0)), ErrorCode::kStorage);
  EXPECT_EQ(counts(site), "online=0 leaders=0 offline=0");
}

// Stopping with deletion removes the files and the watermark; without it the data stays. Older epochs are
// refused.
TEST(ReplicaSet, StopsAndDeletes) {
  ReplicaSite site;
  for (int number : {0, 1}) {
    auto replica = site.leader(bucket(number), 3);
    site.append(*replica, 2).value();
  }
  EXPECT_EQ(stop(site, bucket(0), true, 2), ErrorCode::kFencedLeaderEpoch);
  EXPECT_TRUE(site.set->find(bucket(0)).ok());
  EXPECT_EQ(stop(site, bucket(0), true, 3), ErrorCode::kNone);
  EXPECT_THAT(files_of(site, 0), IsEmpty());
  EXPECT_EQ(site.site.directory->high_watermarks().get(bucket(0)), std::nullopt);
  EXPECT_EQ(site.set->find(bucket(0)).code(), ErrorCode::kUnknownTableOrBucket);
  EXPECT_EQ(stop(site, bucket(0), true, 3), ErrorCode::kNone) << "again, because the answer was lost";

  EXPECT_EQ(stop(site, bucket(1), false, INT32_MAX), ErrorCode::kNone);
  EXPECT_EQ(site.leader(bucket(1), 4)->log().end_offset(), Offset(2));
}

// The data of a table that was dropped while this server was away is deleted without being opened.
TEST(ReplicaSet, DeletesWhatIsLeftOver) {
  ReplicaSite site;
  site.append(*site.leader(bucket(0)), 2).value();
  site.restart();
  EXPECT_FALSE(files_of(site, 0).empty());
  EXPECT_EQ(stop(site, bucket(0), true), ErrorCode::kNone);
  EXPECT_THAT(files_of(site, 0), IsEmpty());
}

// Data and watermark survive a restart, in order or not; a watermark never lies behind the log's end.
TEST(ReplicaSet, ARestartKeepsDataAndWatermark) {
  ReplicaSite site;
  auto replica = site.leader(bucket(0), 0);
  site.append(*replica, 3, Acks::kAll).value();
  replica.reset();
  site.restart();
  // As a follower it shows what it knows, without moving the watermark.
  ASSERT_EQ(site.lead(ReplicaSite::order(bucket(0), 1, {0, 1}, 1)), ErrorCode::kNone);
  EXPECT_EQ(site.find(bucket(0))->high_watermark(), Offset(3));
  EXPECT_EQ(site.find(bucket(0))->log().end_offset(), Offset(3));

  replica = site.leader(bucket(0), 2);
  site.append(*replica, 2, Acks::kAll).value();
  replica.reset();
  site.crash(async::Crash::kProcess);
  ASSERT_EQ(site.lead(ReplicaSite::order(bucket(0), 3, {0, 1}, 1)), ErrorCode::kNone);
  EXPECT_EQ(site.find(bucket(0))->log().end_offset(), Offset(5));
  EXPECT_LE(site.find(bucket(0))->high_watermark(), Offset(5));
  EXPECT_EQ(site.leader(bucket(0), 4)->high_watermark(), Offset(5));
}

// What was flushed survives a power failure; the watermark that was written is bounded by what is left.
TEST(ReplicaSet, APowerFailureKeepsWhatWasFlushed) {
  for (uint64_t seed = 1; seed <= 10; ++seed) {
    ReplicaSite site(1, seed);
    auto replica = site.leader(bucket(0), 0);
    site.append(*replica, 3, Acks::kAll).value();
    ASSERT_EQ(site.site.run(replica->log().flush()).code(), ErrorCode::kNone);
    site.append(*replica, 4, Acks::kAll).value();
    site.set->checkpoint_high_watermarks();
    site.site.run(site.site.directory->checkpoint_high_watermarks(site.site.loop())).value();
    replica.reset();
    site.crash(async::Crash::kPowerLoss);
    ASSERT_EQ(site.lead(ReplicaSite::order(bucket(0), 1, {0, 1}, 1)), ErrorCode::kNone);
    replica = site.find(bucket(0));
    EXPECT_GE(replica->log().end_offset(), Offset(3)) << "seed " << seed;
    EXPECT_EQ(replica->high_watermark(), replica->log().end_offset()) << "seed " << seed;
  }
}

// A bucket whose data is damaged is offline with the reason; its files stay as they are, and other buckets
// are served.
TEST(ReplicaSet, ADamagedBucketIsOffline) {
  ReplicaSite site;
  for (int number : {0, 1}) {
    auto replica = site.leader(bucket(number), 0);
    site.append(*replica, 3).value();
    ASSERT_EQ(site.site.run(replica->log().flush()).code(), ErrorCode::kNone);
  }
  site.site.run(site.site.directory->checkpoint_recovery_points(site.site.loop())).value();
  site.crash(async::Crash::kProcess);
  site.site.disk().flip_bit(site.site.path_of(kFirstSegment, 0), 60, 0);
  const auto before = files_of(site, 0);

  EXPECT_EQ(site.lead(ReplicaSite::order(bucket(0), 1)), ErrorCode::kLogStorage);
  EXPECT_EQ(site.lead(ReplicaSite::order(bucket(1), 1)), ErrorCode::kNone);
  EXPECT_EQ(counts(site), "online=1 leaders=1 offline=1");
  auto found = site.set->find(bucket(0));
  ASSERT_EQ(found.code(), ErrorCode::kStorage);
  EXPECT_THAT(found.error().message, HasSubstr("offline"));
  EXPECT_EQ(files_of(site, 0), before);
  EXPECT_EQ(site.append(*site.find(bucket(1)), 1).value(), Offset(3));

  // It can be deleted nevertheless.
  EXPECT_EQ(stop(site, bucket(0), true, 1), ErrorCode::kNone);
  EXPECT_THAT(files_of(site, 0), IsEmpty());
  EXPECT_EQ(site.set->counts().offline, 0u);
}

// A fetch that waits on some buckets.
class FetchWaitsTest : public ::testing::Test {
 protected:
  FetchWaitsTest() : replica_(site_.leader(bucket(0))), waits_(site_.site.loop(), *site_.set) {
    site_.append(*replica_, 2).value();
  }

  void wait(std::vector<FetchPosition> positions, async::Duration longest = 10s) {
    answer_.reset();
    scope_.spawn(
        log::testing::keep_result(waits_.wait(1, std::move(positions), site_.in(longest)), &answer_));
    pass(0ms);
  }
  void pass(async::Duration time) { site_.site.world.run_for(time); }

  ReplicaSite site_;
  std::shared_ptr<Replica> replica_;
  FetchWaits waits_;
  async::TaskScope scope_{site_.site.loop()};
  std::optional<bool> answer_;
};

// The append that moves the watermark wakes the fetch at once, not a timer.
TEST_F(FetchWaitsTest, AnAppendWakes) {
  wait({{bucket(0), Offset(2)}});
  pass(1s);
  ASSERT_FALSE(answer_.has_value());
  EXPECT_EQ(waits_.size(), 1u);
  site_.append(*replica_, 1).value();
  const async::Instant appended = site_.site.world.now();
  ASSERT_TRUE(site_.site.world.run_until([&] { return answer_.has_value(); }, 1s));
  EXPECT_EQ(site_.site.world.now(), appended);
  EXPECT_TRUE(*answer_);
  EXPECT_EQ(waits_.size(), 0u);
}

// What a reader does not have yet is news already.
TEST_F(FetchWaitsTest, DoesNotWaitForWhatIsThere) {
  site_.leader(bucket(1));
  wait({{bucket(1), Offset(0)}, {bucket(0), Offset(1)}});
  EXPECT_EQ(answer_, true);
}

// A batch that replicas did not confirm is no news.
TEST_F(FetchWaitsTest, OnlyTheWatermarkCounts) {
  ASSERT_EQ(site_.lead(ReplicaSite::order(bucket(0), 0, {0, 1}, 0, 1)), ErrorCode::kNone);
  wait({{bucket(0), Offset(2)}});
  site_.append(*replica_, 1, Acks::kLeader).value();
  pass(1s);
  EXPECT_FALSE(answer_.has_value());
  ASSERT_EQ(site_.lead(ReplicaSite::order(bucket(0), 0, {0}, 0, 2)), ErrorCode::kNone);
  pass(0ms);
  EXPECT_EQ(answer_, true);
}

// Without news a wait ends at its time, on cancel, or when all are cancelled; after that none begins.
TEST_F(FetchWaitsTest, EndsWithoutNews) {
  wait({{bucket(0), Offset(2)}}, 3s);
  pass(3s - 1ms);
  EXPECT_FALSE(answer_.has_value());
  pass(1ms);
  EXPECT_EQ(answer_, false);
  waits_.cancel(1);  // came too late

  wait({{bucket(0), Offset(2)}});
  waits_.cancel(2);
  pass(0ms);
  EXPECT_FALSE(answer_.has_value());
  waits_.cancel(1);
  pass(0ms);
  EXPECT_EQ(answer_, false);

  wait({{bucket(0), Offset(2)}});
  waits_.cancel_all();
  pass(0ms);
  EXPECT_EQ(answer_, false);
  wait({{bucket(0), Offset(2)}});
  EXPECT_EQ(answer_, false);
  EXPECT_EQ(waits_.size(), 0u);
}

// The reader must look again when a replica stops leading, is stopped, or isn't there any more when the wait
// begins.
TEST_F(FetchWaitsTest, LookAgainWhenAReplicaGoes) {
  wait({{bucket(0), Offset(2)}});
  ASSERT_EQ(site_.lead(ReplicaSite::order(bucket(0), 1, {0, 1}, 1)), ErrorCode::kNone);
  pass(0ms);
  EXPECT_EQ(answer_, true);

  ASSERT_EQ(site_.lead(ReplicaSite::order(bucket(0), 2)), ErrorCode::kNone);
  wait({{bucket(0), Offset(2)}});
  ASSERT_FALSE(answer_.has_value());
  replica_.reset();
  EXPECT_EQ(stop(site_, bucket(0), true, 2), ErrorCode::kNone);
  pass(0ms);
  EXPECT_EQ(answer_, true);

  wait({{bucket(0), Offset(2)}});
  EXPECT_EQ(answer_, true);
}

// A request may stop more buckets than are stopped at once: all are gone but those whose order is too old.
TEST(ReplicaSet, StopsManyBuckets) {
  ReplicaSite site;
  constexpr int32_t kBuckets = 150;
  std::vector<Leadership> orders;
  std::vector<ReplicaStop> stops;
  for (int32_t i = 0; i < kBuckets; ++i) {
    const int32_t epoch = i % 50 == 0 ? 2 : 0;
    orders.push_back(ReplicaSite::order(bucket(i), epoch));
    stops.push_back({bucket(i), true, model::LeaderEpoch(1)});
  }
  ASSERT_TRUE(site.site.run(site.set->lead_or_follow(std::move(orders))).empty());
  const BucketErrors errors = site.site.run(site.set->stop_replicas(std::move(stops)));
  ASSERT_EQ(errors.size(), 3u);
  for (size_t i = 0; i < errors.size(); ++i) {
    EXPECT_EQ(errors[i].first, bucket(static_cast<int32_t>(i) * 50));
    EXPECT_EQ(errors[i].second.code, ErrorCode::kFencedLeaderEpoch);
  }
  EXPECT_EQ(counts(site), "online=3 leaders=3 offline=0");
}

}  // namespace
}  // namespace strom::replica
