// Logs on the machine's own disk and threads: the main paths, which log_test.cc runs on the simulator.
#include <fstream>

#include <gtest/gtest.h>

#include "async/join.h"
#include "log/log_testing.h"

namespace strom::log {
namespace {

using model::Offset;
using testing::batch;
using testing::DiskSite;

constexpr Offset kNoBound{INT64_MAX};

std::unique_ptr<Log> open(DiskSite& site, LogConfig config = {.segment_bytes = 64 << 10}) {
  const std::string path = site.directory->bucket_path(testing::table(), testing::bucket());
  return site.run(Log::open(*site.directory, site.loop(), {testing::bucket(), path, config})).value();
}

// `count` appends at once, from the shard's thread.
async::Task<int> append_many(async::EventLoop& loop, Log& log, int count) {
  std::vector<async::Task<Result<AppendResult>>> tasks;
  for (int i = 0; i < count; ++i) {
    tasks.push_back(log.append_as_leader(batch({.records = 10, .payload = 100})));
  }
  int written = 0;
  for (auto& result : co_await async::when_all(loop, std::move(tasks))) written += result.ok() ? 1 : 0;
  co_return written;
}

async::Task<Result<int64_t>> count_records(Log& log) {
  int64_t records = 0;
  for (Offset from = log.start_offset(); from < log.end_offset();) {
    ReadResult result = STROM_CO_TRY(
        co_await log.read({.from = from, .upper_bound = kNoBound, .max_bytes = 10'000, .check_crc = true}));
    for (const auto& header : testing::headers_of(result.records)) records += header.record_count;
    from = result.next_offset;
  }
  co_return records;
}

// Append, read, roll, retention, flush, and a clean reopening.
TEST(LogOnDisk, CleanLife) {
  DiskSite site;
  auto log = open(site);
  EXPECT_EQ(site.run(append_many(site.loop(), *log, 500)), 500);
  EXPECT_EQ(log->end_offset(), Offset(5000));
  EXPECT_GT(log->segments().size(), 5u);
  EXPECT_EQ(site.run(count_records(*log)).value(), 5000);
  site.run(log->flush()).value();
  EXPECT_EQ(log->durable_offset(), Offset(5000));
  EXPECT_EQ(site.run(log->offset_for_timestamp(model::Timestamp(0))).value(), Offset(0));
  const auto yes = [](const SegmentInfo&) { return true; };
  EXPECT_GT(site.run(log->delete_segments_before(Offset(2000), yes)).value(), 0u);
  const Offset start = log->start_offset();
  site.run(log->close()).value();
  log.reset();
  site.stop(true);
  site.boot();
  EXPECT_TRUE(site.directory->started_clean());
  log = open(site);
  EXPECT_EQ(log->start_offset(), start);
  EXPECT_EQ(site.run(count_records(*log)).value(), 5000 - start.value);
  site.run(log->truncate_to(Offset(4000))).value();
  EXPECT_EQ(log->end_offset(), Offset(4000));
  site.run(log->truncate_fully_and_start_at(Offset(9000))).value();
  EXPECT_EQ(site.run(append_many(site.loop(), *log, 5)), 5);
  EXPECT_EQ(site.run(count_records(*log)).value(), 50);
  site.run(log->remove()).value();
  EXPECT_FALSE(std::filesystem::exists(site.path / "db"));
}

// After a stop without a marker and with garbage at the end of the last segment, the garbage is cut.
TEST(LogOnDisk, TornTail) {
  DiskSite site;
  auto log = open(site);
  EXPECT_EQ(site.run(append_many(site.loop(), *log, 100)), 100);
  const std::string file = fmt::format("{}/{:020}.log", log->path(), log->segments().back().base_offset);
  site.run(log->close()).value();
  log.reset();
  site.stop(false);
  std::ofstream(file, std::ios::app | std::ios::binary)
      << "garbage that is longer than the header of a batch is";
  site.boot();
  EXPECT_FALSE(site.directory->started_clean());
  log = open(site);
  EXPECT_EQ(log->end_offset(), Offset(1000));
  EXPECT_EQ(site.run(append_many(site.loop(), *log, 100)), 100);
  EXPECT_EQ(site.run(count_records(*log)).value(), 2000);
  site.run(log->close()).value();
}

// With more files than the process keeps open, readers on the pool and the writer get along, and no file
// stays open behind the cache.
TEST(LogOnDisk, OpenFilesAreBounded) {
  DiskSite site;
  auto log = open(site, {.segment_bytes = 4 << 10});
  EXPECT_EQ(site.run(append_many(site.loop(), *log, 200)), 200);
  EXPECT_GT(log->segments().size(), 40u);
  EXPECT_EQ(site.run(count_records(*log)).value(), 2000);
  site.run(log->close()).value();
  EXPECT_LE(site.files->open_files(), 8u);
  size_t open_here = 0;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
    std::error_code error;
    const auto target = std::filesystem::read_symlink(entry.path(), error);
    if (target.string().starts_with(site.path.string() + "/db/")) ++open_here;
  }
  EXPECT_LE(open_here, 8u);
}

}  // namespace
}  // namespace strom::log
