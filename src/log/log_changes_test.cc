// Log on a simulated machine: retention, truncation, failing disks, closing.
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
using testing::batch;
using testing::fill;
using testing::headers_of;
using testing::kNoBound;
using testing::numbers;
using testing::read_all;
using testing::SimSite;
using testing::small_segments;

// Retention takes a prefix of closed segments up to the bound, as long as the owner agrees; then the start is
// behind them, also after reopening, and the files are gone.
TEST(Log, DeletesOldSegments) {
  SimSite site(13, small_segments());
  auto log = site.log();
  fill(site, *log, 120);
  const auto before = log->segments();
  ASSERT_GT(before.size(), 5u);
  auto yes = [](const SegmentInfo&) { return true; };
  const Offset bound = before[3].base_offset;
  EXPECT_EQ(site.run(log->delete_segments_before(bound - 1, yes)).value(), 2u);
  EXPECT_EQ(log->start_offset(), before[2].base_offset);
  EXPECT_EQ(site.run(log->delete_segments_before(kNoBound,
                                                 [&](const SegmentInfo& s) { return s.end_offset <= bound; }))
                .value(),
            1u);
  EXPECT_EQ(log->start_offset(), bound);
  EXPECT_EQ(site.run(log->read({.from = bound - 1, .upper_bound = kNoBound})).code(),
            ErrorCode::kLogOffsetOutOfRange);
  EXPECT_EQ(read_all(site, *log, bound), numbers(bound.value, 120));
  for (const std::string& file : site.disk().files()) {
    EXPECT_THAT(file, ::testing::Not(::testing::HasSubstr("/00000000000000000000.")));
    EXPECT_THAT(file, ::testing::Not(::testing::EndsWith(".deleted")));
  }
  EXPECT_EQ(site.run(log->delete_segments_before(kNoBound, yes)).value(), before.size() - 4);
  EXPECT_EQ(log->segments().size(), 1u);  // the active one stays
  const Offset start = log->start_offset();
  site.close(std::move(log));
  log = site.log();
  EXPECT_EQ(log->start_offset(), start);
  EXPECT_EQ(log->end_offset(), Offset(120));
  site.close(std::move(log));
}

// A read that waits for the disk while its segment is deleted answers that the offset is gone, and harms
// nothing.
TEST(Log, DeletionDuringARead) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    SimSite site(seed, small_segments());
    auto log = site.log();
    fill(site, *log, 60);
    std::optional<Started<Result<ReadResult>>> read;
    site.loop().post([&] {
      site.files->forget_below("/data/db/t-7/log-0");  // nothing is open
      read.emplace(site.loop(), log->read({.from = Offset(0), .upper_bound = kNoBound}));
    });
    auto yes = [](const SegmentInfo&) { return true; };
    EXPECT_TRUE(site.run(log->delete_segments_before(kNoBound, yes)).ok());
    auto result = site.run(read->join());
    EXPECT_TRUE(result.ok() || result.code() == ErrorCode::kLogOffsetOutOfRange) << result.error().message;
    EXPECT_EQ(log->error(), std::nullopt);
    site.close(std::move(log));
  }
}

// truncate_to removes the batch with the offset and all later ones, with their writers; later appends follow.
//   [10 11 12][13 14][15]   truncate_to(14)   [10 11 12]
TEST(Log, TruncateTo) {
  for (int64_t cut : {59, 45, 23, 11, 10, 1, 0}) {
    SimSite site(14, small_segments());
    auto log = site.log();
    for (int i = 0; i < 30; ++i) append_to(site, *log, batch({.records = 2, .writer = 5, .sequence = i}));
    site.run(log->truncate_to(Offset(60))).value();
    EXPECT_EQ(log->end_offset(), Offset(60));
    site.run(log->truncate_to(Offset(cut))).value();
    const int64_t end = cut / 2 * 2;
    EXPECT_EQ(log->end_offset(), Offset(end));
    const auto resend = static_cast<int32_t>(end / 2);
    EXPECT_EQ(append_to(site, *log, batch({.records = 2, .writer = 5, .sequence = resend})).base_offset,
              Offset(end));
    EXPECT_EQ(read_all(site, *log, Offset(0)).size(), static_cast<size_t>(end / 2 + 1));
    site.close(std::move(log));
    log = site.log();
    EXPECT_EQ(log->end_offset(), Offset(end + 2)) << cut;
    site.close(std::move(log));
  }
}

// D-11: after repeated truncations to other starts only files of the last generation are there.
TEST(Log, TruncateFully) {
  SimSite site(15, small_segments());
  auto log = site.log();
  for (int64_t start : {1000, 2000, 500}) {
    fill(site, *log, 40);
    site.run(log->truncate_fully_and_start_at(Offset(start))).value();
    EXPECT_EQ(log->start_offset(), Offset(start));
    EXPECT_EQ(log->end_offset(), Offset(start));
    EXPECT_EQ(log->writer_count(), 0u);
    EXPECT_EQ(append_to(site, *log, batch({.records = 3})).base_offset, Offset(start));
  }
  for (const std::string& file : site.disk().files()) {
    if (file.find("/log-0/") == std::string::npos) continue;
    EXPECT_THAT(file, ::testing::HasSubstr("/00000000000000000500."));
  }
  site.close(std::move(log));
  log = site.log();
  EXPECT_EQ(log->start_offset(), Offset(500));
  EXPECT_EQ(log->end_offset(), Offset(503));
  site.close(std::move(log));
}

// A failed sync takes the directory offline for good: what is in flight and all that follows fails with the
// reason, also in other logs, and reads go on.
TEST(Log, FailedSyncTakesTheDirectoryOffline) {
  SimSite site(16, small_segments(), true);
  auto log = site.log(0);
  auto other = site.log(1);
  fill(site, *log, 20);
  fill(site, *other, 1);
  EXPECT_EQ(log->durable_offset(), Offset(20));
  site.disk().fail_next_sync();
  auto failed = site.run(log->append_as_leader(batch({})));
  EXPECT_EQ(failed.code(), ErrorCode::kLogStorage);
  EXPECT_EQ(log->end_offset(), Offset(20));
  ASSERT_TRUE(log->error().has_value());
  ASSERT_TRUE(site.directory->offline().has_value());
  EXPECT_THAT(site.directory->offline()->message, ::testing::HasSubstr("Input/output error"));
  for (Log* one : {log.get(), other.get()}) {
    EXPECT_EQ(site.run(one->append_as_leader(batch({}))).error().message, failed.error().message);
  }
  EXPECT_EQ(read_all(site, *log, Offset(0)), numbers(0, 20));
  EXPECT_FALSE(site.run(log->close()).ok());
  EXPECT_FALSE(site.run(other->close()).ok());
  log.reset();
  other.reset();
  site.stop(false);
  site.boot();
  EXPECT_FALSE(site.directory->started_clean());
  log = site.log(0);
  EXPECT_GE(log->end_offset(), Offset(20));
  site.close(std::move(log));
}

// D-5: on a full disk appends fail; with room again and a new start all that was acknowledged is there.
TEST(Log, FullDisk) {
  SimSite site(17);
  auto log = site.log();
  site.disk().set_capacity(site.disk().used_bytes() + 1000);
  int64_t written = 0;
  while (site.run(log->append_as_leader(batch({}))).ok()) ++written;
  EXPECT_GT(written, 5);
  EXPECT_EQ(log->end_offset(), Offset(written));
  EXPECT_EQ(read_all(site, *log, Offset(0)), numbers(0, written));
  EXPECT_FALSE(site.run(log->close()).ok());
  log.reset();
  site.stop(false);
  site.disk().set_capacity(UINT64_MAX);
  site.boot();
  log = site.log();
  EXPECT_EQ(log->end_offset(), Offset(written));
  site.close(std::move(log));
}

// After close() and remove() nothing works any more, and the files of a removed log are gone.
TEST(Log, CloseAndRemove) {
  SimSite site(18);
  auto log = site.log();
  fill(site, *log, 3);
  site.run(log->close()).value();
  EXPECT_EQ(site.run(log->append_as_leader(batch({}))).code(), ErrorCode::kLogStorage);
  EXPECT_EQ(site.run(log->read({.from = Offset(0), .upper_bound = kNoBound})).code(), ErrorCode::kLogStorage);
  log = site.log();
  EXPECT_EQ(log->end_offset(), Offset(3));
  site.run(log->remove()).value();
  for (const std::string& file : site.disk().files())
    EXPECT_THAT(file, ::testing::Not(::testing::HasSubstr("db/")));
  log = site.log();
  EXPECT_EQ(log->end_offset(), Offset(0));
  site.close(std::move(log));
  site.stop(true);
}

// log.flush.interval-messages: after so many records the log is synced, without anyone asking.
TEST(Log, FlushesByCount) {
  SimSite site(20, {.flush_interval_messages = 10});
  auto log = site.log();
  fill(site, *log, 9);
  site.world.run_for(std::chrono::seconds(1));
  EXPECT_EQ(log->durable_offset(), Offset(0));
  fill(site, *log, 1);
  site.world.run_for(std::chrono::seconds(1));
  EXPECT_EQ(log->durable_offset(), Offset(10));
  EXPECT_EQ(site.directory->recovery_points().get(testing::bucket()), Offset(10));
  EXPECT_EQ(log->counters().flushes, 1u);
  site.close(std::move(log));
}

// More segments than open files: the cache closes what was used least, and reading works as before.
TEST(Log, FewOpenFiles) {
  SimSite site(19, small_segments());
  auto log = site.log();
  fill(site, *log, 200);
  ASSERT_GT(log->segments().size(), 10u);
  EXPECT_EQ(read_all(site, *log, Offset(0)), numbers(0, 200));
  EXPECT_LE(site.files->open_files(), 8u);
  site.close(std::move(log));
}

}  // namespace
}  // namespace strom::log
