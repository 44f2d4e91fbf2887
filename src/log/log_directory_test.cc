#include "log/log_directory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "async/join.h"
#include "log/log_testing.h"

namespace strom::log {
namespace {

using async::Crash;
using model::Offset;
using testing::batch;
using testing::bucket;
using testing::SimSite;

LogDirectoryConfig config_of(int32_t server) { return {.path = "/data", .server = model::ServerId(server)}; }

// A second process that wants the same directory is refused, until the first is gone.
TEST(LogDirectory, Lock) {
  SimSite site(1);
  auto second = LogDirectory::open(*site.runtime, *site.files, config_of(0));
  ASSERT_EQ(second.code(), ErrorCode::kLogStorage);
  EXPECT_THAT(second.error().message, ::testing::HasSubstr("another process"));
  site.stop(true);
  site.boot();
}

// The identity is made once and kept; another server is refused.
TEST(LogDirectory, Identity) {
  SimSite site(2);
  const std::string id = site.directory->disk_id();
  EXPECT_EQ(id.size(), 36u);
  site.stop(true);
  site.boot();
  EXPECT_EQ(site.directory->disk_id(), id);
  site.directory.reset();
  auto other = LogDirectory::open(*site.runtime, *site.files, config_of(1));
  ASSERT_EQ(other.code(), ErrorCode::kLogStorage);
  EXPECT_THAT(other.error().message, ::testing::HasSubstr("of server 0, but this is server 1"));
}

// A start is clean after an orderly shutdown only: once, and not if a log was left open, not opened after an
// unclean start, or the process died.
TEST(LogDirectory, CleanShutdown) {
  SimSite site(3);
  EXPECT_FALSE(site.directory->started_clean());
  auto log = site.log(0);
  site.run(log->append_as_leader(batch({}))).value();
  site.close(std::move(log));
  site.stop(true);
  site.boot();
  EXPECT_TRUE(site.directory->started_clean());
  site.crash(Crash::kProcess, nullptr);
  site.boot();
  EXPECT_FALSE(site.directory->started_clean());  // the marker is gone with the first start
  site.stop(true);
  site.boot();
  EXPECT_FALSE(site.directory->started_clean());  // nobody recovered the log
  site.close(site.log(0));
  site.stop(true);
  site.boot();
  EXPECT_TRUE(site.directory->started_clean());
}

// D-3, D-4: the directories that are there are listed with what their names say; those of dropped tables are
// removed without being read, with what is empty above them.
TEST(LogDirectory, FindsAndRemovesBuckets) {
  SimSite site(4);
  const model::PhysicalTablePath partition{{"db", "orders"}, "2024"};
  const model::TableBucket partitioned{model::TableId(12), model::PartitionId(3), model::BucketId(1)};
  const std::string path = site.directory->bucket_path(partition, partitioned);
  EXPECT_EQ(path, "/data/db/orders-12/2024-p3/log-1");
  auto log = site.run(Log::open(*site.directory, site.loop(), {partitioned, path, {}})).value();
  site.close(std::move(log));
  site.close(site.log(0));
  site.close(site.log(2));
  ASSERT_TRUE(site.runtime->disk().create_directories("/data/db/t-7/log-5.deleted").ok());
  ASSERT_TRUE(site.runtime->disk().create_directories("/data/remote-log-index-cache/x").ok());
  site.stop(true);
  site.boot();

  std::map<model::TableBucket, std::pair<std::string, std::string>> found;
  for (const FoundBucket& one : site.directory->found_buckets()) {
    found[one.bucket] = {one.table.to_string(), one.path};
  }
  EXPECT_EQ(found.size(), 3u);
  EXPECT_EQ(found[partitioned], (std::pair<std::string, std::string>("db.orders(p=2024)", path)));
  EXPECT_EQ(found[bucket(2)], (std::pair<std::string, std::string>("db.t", "/data/db/t-7/log-2")));
  EXPECT_FALSE(site.runtime->disk().exists("/data/db/t-7/log-5.deleted"));

  // Damage does not matter to what is removed.
  ASSERT_TRUE(site.runtime->disk()
                  .open(path + "/00000000000000000000.log", async::OpenMode::kReadWrite)
                  .value()
                  ->write(0, as_bytes("garbage"))
                  .ok());
  site.run(site.directory->remove_bucket(site.loop(), partitioned, path)).value();
  EXPECT_FALSE(site.runtime->disk().exists("/data/db/orders-12"));
  EXPECT_TRUE(site.runtime->disk().exists("/data/db/t-7/log-0"));
  site.stop(true);
  site.boot();
  EXPECT_TRUE(site.directory->started_clean());
  EXPECT_EQ(site.directory->found_buckets().size(), 2u);
}

// Watermarks and recovery points come back with the next start.
TEST(LogDirectory, Checkpoints) {
  SimSite site(5);
  auto log = site.log(0);
  for (int i = 0; i < 5; ++i) site.run(log->append_as_leader(batch({}))).value();
  site.run(log->flush()).value();
  site.directory->high_watermarks().set(bucket(0), Offset(4));
  site.run(site.directory->checkpoint_high_watermarks(site.loop())).value();
  site.run(site.directory->checkpoint_recovery_points(site.loop())).value();
  site.crash(Crash::kPowerLoss, std::move(log));
  site.boot();
  EXPECT_EQ(site.directory->high_watermarks().get(bucket(0)), Offset(4));
  EXPECT_EQ(site.directory->recovery_points().get(bucket(0)), Offset(5));
  EXPECT_EQ(site.directory->high_watermarks().get(bucket(1)), std::nullopt);
}

// A log that is removed and made again starts without the recovery point of the first, also after a crash:
// with it the new log would look as if it had lost data.
TEST(LogDirectory, RemovedLogLeavesNoRecoveryPoint) {
  SimSite site(6);
  auto log = site.log(0);
  for (int i = 0; i < 5; ++i) site.run(log->append_as_leader(batch({}))).value();
  site.run(log->flush()).value();
  site.run(site.directory->checkpoint_recovery_points(site.loop())).value();
  site.run(log->remove()).value();
  log = site.log(0);
  site.run(log->append_as_leader(batch({}))).value();
  site.crash(Crash::kPowerLoss, std::move(log));
  site.boot();
  log = site.log(0);
  EXPECT_LE(log->end_offset(), Offset(1));
  site.close(std::move(log));
}

// Appends of many logs are written in rounds: one turn of the writer takes all that waits.
TEST(LogDirectory, ManyLogsInOneRound) {
  SimSite site(7);
  std::vector<std::unique_ptr<Log>> logs;
  for (int32_t i = 0; i < 10; ++i) logs.push_back(site.log(i));
  std::vector<async::Started<Result<AppendResult>>> appends;
  site.loop().post([&] {
    for (int round = 0; round < 5; ++round) {
      for (auto& log : logs) appends.push_back(async::start(site.loop(), log->append_as_leader(batch({}))));
    }
    EXPECT_GT(site.directory->pending_bytes(), 0u);
  });
  // One turn of a simulated worker takes at most 400 microseconds.
  site.world.run_for(std::chrono::microseconds(400));
  for (auto& log : logs) EXPECT_EQ(log->end_offset(), Offset(5));
  EXPECT_EQ(site.directory->pending_bytes(), 0u);
  for (auto& append : appends) EXPECT_TRUE(site.run(append.join()).ok());
  for (auto& log : logs) site.close(std::move(log));
}

}  // namespace
}  // namespace strom::log
