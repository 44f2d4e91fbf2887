// What a log is after a crash: torn tails, damaged files, power losses. On a simulated machine.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "async/join.h"
#include "log/log_testing.h"

namespace strom::log {
namespace {

using async::Crash;
using async::OpenMode;
using async::Started;
using model::Offset;
using testing::batch;
using testing::fill_ids;
using testing::headers_of;
using testing::kNoBound;
using testing::numbers;
using testing::read_ids;
using testing::SimSite;
using testing::small_segments;
using testing::try_append;

constexpr std::string_view kFirst = "00000000000000000000";
Buffer content(SimSite& site, std::string_view file) {
  return site.runtime->disk().read_file(site.path_of(file)).value();
}
void replace(SimSite& site, std::string_view file, ByteView bytes) {
  auto opened = site.runtime->disk().open(site.path_of(file), OpenMode::kCreate).value();
  opened->truncate(0).value();
  opened->write(0, bytes).value();
}

// Crashes the process with the log as it is, and starts the next one.
void crash_and_boot(SimSite& site, std::unique_ptr<Log> log, Crash kind = Crash::kProcess) {
  site.crash(kind, std::move(log));
  site.boot();
}

// D-10: after an orderly stop nothing is scanned: a flipped bit in the middle is not seen at the start; the
// read that meets it says so, the segment is not served from then on, and the others are (INV-8).
TEST(LogRecovery, CleanStartTrusts) {
  SimSite site(1, small_segments());
  auto log = site.log();
  fill_ids(site, *log, 0, 60);
  const Offset second = log->segments()[1].base_offset;
  site.close(std::move(log));
  site.stop(true);
  site.disk().flip_bit(site.path_of(std::string(kFirst) + ".log"), 60, 0);
  site.boot();
  EXPECT_TRUE(site.directory->started_clean());
  log = site.log();
  EXPECT_EQ(log->end_offset(), Offset(60));
  EXPECT_EQ(log->durable_offset(), Offset(60));
  EXPECT_EQ(log->error(), std::nullopt);
  ReadRequest request{.from = Offset(0), .upper_bound = kNoBound, .check_crc = true};
  EXPECT_EQ(site.run(log->read(request)).code(), ErrorCode::kLogStorage);
  ASSERT_TRUE(log->error().has_value());
  request.check_crc = false;
  EXPECT_EQ(site.run(log->read(request)).code(), ErrorCode::kLogStorage);
  request.from = second;
  EXPECT_TRUE(site.run(log->read(request)).ok());
  EXPECT_TRUE(try_append(site, *log, 60).ok());
  site.close(std::move(log));
}

// D-9, INV-9: after a crash only what follows the recovery point is read: a flipped bit before it stays
// unseen, one behind it ends the log there.
TEST(LogRecovery, ReadsOnlyBehindTheRecoveryPoint) {
  SimSite site(2, small_segments());
  auto log = site.log();
  fill_ids(site, *log, 0, 40);
  site.run(log->flush()).value();
  site.run(site.directory->checkpoint_recovery_points(site.loop())).value();
  const auto segments = log->segments();
  fill_ids(site, *log, 40, 44);
  ASSERT_EQ(log->segments().size(), segments.size());
  const uint64_t size = log->segments().back().bytes / (44 - segments.back().base_offset.value);
  site.crash(Crash::kProcess, std::move(log));
  const std::string last = site.path_of(fmt::format("{:020}.log", segments.back().base_offset));
  site.disk().flip_bit(site.path_of(std::string(kFirst) + ".log"), 60, 0);
  site.disk().flip_bit(last, 60, 0);
  site.disk().flip_bit(last, static_cast<uint64_t>(42 - segments.back().base_offset.value) * size + 60, 0);
  site.boot();
  EXPECT_FALSE(site.directory->started_clean());
  log = site.log();
  EXPECT_EQ(log->end_offset(), Offset(42));
  EXPECT_EQ(log->durable_offset(), Offset(42));
  EXPECT_EQ(try_append(site, *log, 42)->base_offset, Offset(42));
  site.close(std::move(log));
}

// A last batch that is cut at any of its bytes is dropped, and the log goes on before it.
TEST(LogRecovery, TornTailAtEveryByte) {
  SimSite site(3, small_segments());
  auto log = site.log();
  fill_ids(site, *log, 0, 20);
  const std::string file = fmt::format("{:020}.log", log->segments().back().base_offset);
  crash_and_boot(site, std::move(log));
  const Buffer whole = content(site, file);
  const size_t batch_size = testing::make_batch({}).size();
  for (size_t cut = 1; cut <= batch_size; ++cut) {
    replace(site, file, ByteView(whole).first(whole.size() - cut));
    log = site.log();
    EXPECT_EQ(log->end_offset(), Offset(19)) << cut;
    EXPECT_EQ(read_ids(site, *log).value(), numbers(0, 19)) << cut;
    EXPECT_FALSE(try_append(site, *log, 19)->duplicate) << cut;
    EXPECT_EQ(read_ids(site, *log).value(), numbers(0, 20)) << cut;
    // The next round finds a log that was not closed, as the first did.
    site.directory->recovery_points().set(testing::bucket(), Offset(0));
    crash_and_boot(site, std::move(log));
  }
}

// A flipped bit anywhere in the last batch drops it, or leaves it whole if the bit is not covered by a
// checksum (the commit timestamp). The batches before it are never touched.
TEST(LogRecovery, FlippedBitInTheLastBatch) {
  SimSite site(4);
  auto log = site.log();
  fill_ids(site, *log, 0, 5);
  crash_and_boot(site, std::move(log));
  const std::string file = std::string(kFirst) + ".log";
  const Buffer whole = content(site, file);
  const size_t start = whole.size() - testing::make_batch({}).size();
  for (size_t at = start; at < whole.size(); ++at) {
    Buffer damaged = whole;
    damaged[at] ^= static_cast<uint8_t>(1 << (at % 8));
    replace(site, file, damaged);
    log = site.log();
    const bool covered = at - start < 12 || at - start >= 21;
    EXPECT_EQ(read_ids(site, *log).value(), numbers(0, covered ? 4 : 5)) << at - start;
    site.directory->recovery_points().set(testing::bucket(), Offset(0));
    crash_and_boot(site, std::move(log));
  }
}

// A tear in a segment that was not synced drops the later ones, too.
TEST(LogRecovery, TearBeforeLaterSegments) {
  SimSite site(5, small_segments());
  auto log = site.log();
  fill_ids(site, *log, 0, 60);
  const auto segments = log->segments();
  site.crash(Crash::kProcess, std::move(log));
  site.disk().flip_bit(site.path_of(fmt::format("{:020}.log", segments[1].base_offset)), 60, 0);
  site.boot();
  log = site.log();
  const int64_t end = segments[1].base_offset.value;
  EXPECT_EQ(log->end_offset(), Offset(end));
  fill_ids(site, *log, end, 60);
  EXPECT_EQ(read_ids(site, *log).value(), numbers(0, 60));
  crash_and_boot(site, std::move(log));
  log = site.log();
  EXPECT_EQ(read_ids(site, *log).value(), numbers(0, 60));
  site.close(std::move(log));
}

// Damage before the recovery point is no tear: the log does not open, says why, and its files stay as they
// are. Other logs open.
TEST(LogRecovery, DamageBeforeTheRecoveryPoint) {
  SimSite site(6);
  auto log = site.log();
  fill_ids(site, *log, 0, 10);
  site.run(log->flush()).value();
  site.run(site.directory->checkpoint_recovery_points(site.loop())).value();
  site.crash(Crash::kProcess, std::move(log));
  const std::string file = std::string(kFirst) + ".log";
  site.disk().flip_bit(site.path_of(file), 60, 0);
  site.boot();
  const Buffer before = content(site, file);
  auto failed = site.open();
  ASSERT_EQ(failed.code(), ErrorCode::kLogStorage);
  EXPECT_THAT(failed.error().message, ::testing::HasSubstr("before the recovery point 10"));
  EXPECT_EQ(content(site, file), before);
  replace(site, file, ByteView(before).first(100));
  EXPECT_EQ(site.open().code(), ErrorCode::kLogStorage);
  site.close(site.log(1));
  site.run(site.directory->shut_down(site.loop())).value();
  site.stop(false);
  site.boot();
  EXPECT_FALSE(site.directory->started_clean());  // the damaged log is not forgotten
}

// Garbage behind the end of a log that was closed in order is damage, too.
TEST(LogRecovery, GarbageAfterCleanStop) {
  SimSite site(7);
  auto log = site.log();
  fill_ids(site, *log, 0, 10);
  site.close(std::move(log));
  site.stop(true);
  site.boot();
  Buffer bytes = content(site, std::string(kFirst) + ".log");
  bytes.push_back(0);
  replace(site, std::string(kFirst) + ".log", bytes);
  EXPECT_EQ(site.open().code(), ErrorCode::kLogStorage);
}

// When the recovery points are lost, a bad batch in a closed segment may be damage: it is not cut.
TEST(LogRecovery, LostRecoveryPoints) {
  SimSite site(8, small_segments());
  auto log = site.log();
  fill_ids(site, *log, 0, 60);
  const auto last = log->segments().back();
  site.run(site.directory->checkpoint_recovery_points(site.loop())).value();
  site.crash(Crash::kProcess, std::move(log));
  site.disk().flip_bit("/data/recovery-point-offset-checkpoint", 0, 3);
  site.disk().flip_bit(site.path_of(fmt::format("{:020}.log", last.base_offset)), 60, 0);
  site.boot();
  log = site.log();  // the last segment may end in a tear
  EXPECT_EQ(log->end_offset(), last.base_offset);
  site.crash(Crash::kProcess, std::move(log));
  site.disk().flip_bit(site.path_of(std::string(kFirst) + ".log"), 60, 0);
  site.boot();
  EXPECT_EQ(site.open().code(), ErrorCode::kLogStorage);
}

// Index files that are missing, empty, cut, or full of garbage are rebuilt or not used; every read is right.
TEST(LogRecovery, DamagedIndexes) {
  const std::vector<std::function<std::optional<Buffer>(Buffer)>> damages = {
      [](Buffer) { return std::nullopt; },
      [](Buffer) { return Buffer(); },
      [](Buffer b) { return b.resize(b.size() - std::min<size_t>(b.size(), 1)), b; },
      [](Buffer b) { return Buffer(b.size(), 0xff); },
      [](Buffer b) { return Buffer(b.size(), 0); },
      [](Buffer b) { return std::fill_n(b.begin(), b.size() / 2, 0x11), b; },
  };
  for (bool clean : {true, false}) {
    for (size_t damage = 0; damage < damages.size(); ++damage) {
      SimSite site(9, small_segments());
      auto log = site.log();
      fill_ids(site, *log, 0, 60);
      const auto timestamp = log->max_timestamp();
      if (clean) {
        site.close(std::move(log));
        site.stop(true);
        site.boot();
      } else {
        crash_and_boot(site, std::move(log));
      }
      for (const std::string& file : site.disk().files()) {
        if (!file.ends_with("index")) continue;
        const Buffer before = site.runtime->disk().read_file(file).value();
        ASSERT_TRUE(site.runtime->disk().remove(file).ok());
        auto after = damages[damage](before);
        if (after) site.runtime->disk().open(file, OpenMode::kCreate).value()->write(0, *after).value();
      }
      log = site.log();
      EXPECT_EQ(log->end_offset(), Offset(60));
      EXPECT_EQ(read_ids(site, *log).value(), numbers(0, 60));
      for (int64_t from = 59; from >= 0; --from) {
        auto read = site.run(log->read({.from = Offset(from), .upper_bound = kNoBound}));
        ASSERT_TRUE(read.ok()) << read.error().message;
        EXPECT_EQ(read->base_offset, Offset(from));
      }
      if (damage < 3) EXPECT_EQ(log->max_timestamp(), timestamp) << damage;
      EXPECT_TRUE(try_append(site, *log, 60).ok());
      site.close(std::move(log));
    }
  }
}

// INV-5: the last batch of each writer is known after a restart, from the snapshot or, if that is damaged or
// missing, from an older one and the log.
TEST(LogRecovery, WriterSnapshots) {
  for (int damage = 0; damage < 4; ++damage) {
    for (bool clean : {true, false}) {
      SimSite site(10, small_segments());
      auto log = site.log();
      fill_ids(site, *log, 0, 60);
      clean ? site.close(std::move(log)) : site.crash(Crash::kProcess, std::move(log));
      if (clean) site.stop(true);
      site.boot();
      std::vector<std::string> snapshots;
      for (const std::string& file : site.disk().files()) {
        if (file.ends_with(".writer_snapshot")) snapshots.push_back(file);
      }
      ASSERT_GT(snapshots.size(), 2u);
      for (size_t i = 0; i < snapshots.size(); ++i) {
        const bool newest = i + 1 == snapshots.size();
        if (damage == 0 || (damage == 1 && !newest)) continue;
        if (damage == 3) {
          ASSERT_TRUE(site.runtime->disk().remove(snapshots[i]).ok());
        } else {
          site.runtime->disk().open(snapshots[i], OpenMode::kReadWrite).value()->truncate(20).value();
        }
      }
      log = site.log();
      EXPECT_EQ(log->writer_count(), 60u);
      for (int64_t id : {0, 30, 59}) {
        AppendResult result = try_append(site, *log, id).value();
        EXPECT_TRUE(result.duplicate);
        EXPECT_EQ(result.base_offset, Offset(id));
      }
      site.close(std::move(log));
    }
  }
}

// D-12: a writer that goes on after its state has expired leaves a gap in the log; recovery takes it as it
// is.
TEST(LogRecovery, ExpiredWriter) {
  SimSite site(11);
  auto log = site.log();
  auto of = [](int32_t sequence, int64_t offset) {
    return batch({.writer = 5, .sequence = sequence, .base_offset = offset, .timestamp = 1'700'000'001'000});
  };
  for (int32_t i = 0; i < 10; ++i) site.run(log->append_as_follower(of(i, i))).value();
  EXPECT_EQ(log->expire_writers(model::Timestamp(1'700'000'001'000) + 8 * 86'400'000LL), 1u);
  EXPECT_EQ(site.run(log->append_as_leader(of(10, 0))).code(), ErrorCode::kOutOfOrderSequence);
  site.run(log->append_as_follower(of(12, 10))).value();
  crash_and_boot(site, std::move(log));
  log = site.log();
  EXPECT_EQ(log->end_offset(), Offset(11));
  EXPECT_TRUE(site.run(log->append_as_leader(of(12, 0)))->duplicate);
  EXPECT_FALSE(site.run(log->append_as_leader(of(13, 0)))->duplicate);
  site.close(std::move(log));
}

}  // namespace
}  // namespace strom::log
