// Support for tests that use logs: batches to append, and a server's surroundings with one data directory, on
// a simulated machine (SimSite) or on the real one (DiskSite).
#pragma once

#include <filesystem>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "async/sim.h"
#include "async/sim_disk.h"
#include "async/system_runtime.h"
#include "format/log_batch.h"
#include "log/log.h"
#include "log/log_directory.h"

namespace strom::log::testing {

struct BatchSpec {
  int32_t records = 1;
  size_t payload = 10;  // bytes per record
  int64_t writer = -1;
  int32_t sequence = -1;
  int64_t base_offset = 0;
  int64_t timestamp = 0;
  uint8_t fill = 'x';
};
Buffer make_batch(const BatchSpec& spec);
inline Slice batch(const BatchSpec& spec) { return Slice::own(make_batch(spec)); }
Slice concatenated(const std::vector<Buffer>& batches);

// The headers of the batches in `records`, which must be whole.
std::vector<format::LogBatchHeader> headers_of(const Slice& records);

model::TableBucket bucket(int32_t number = 0, int64_t table = 7);
model::PhysicalTablePath table(const std::string& name = "t");

template <class T>
async::Task<void> keep_result(async::Task<T> task, std::optional<T>* result) {
  result->emplace(co_await std::move(task));
}

// A simulated machine with one data directory.
class SimSite {
 public:
  explicit SimSite(uint64_t seed, LogConfig config = {}, bool sync_before_ack = false);
  ~SimSite();

  // Starts a process: opens the data directory.
  void boot();
  // The process is gone, and the machine too when the power fails. Logs are closed before.
  void stop(bool clean);
  void crash(async::Crash kind, std::unique_ptr<Log> log);

  Result<std::unique_ptr<Log>> open(int32_t number = 0);
  // open(), which must work.
  std::unique_ptr<Log> log(int32_t number = 0);
  void close(std::unique_ptr<Log> log);

  template <class T>
  T run(async::Task<T> task) {
    std::optional<T> result;
    async::TaskScope scope(loop());
    loop().post([&] { scope.spawn(keep_result(std::move(task), &result)); });
    bool done = world.run_until([&] { return result.has_value(); }, std::chrono::hours(10));
    STROM_CHECK(done, "the task does not end");
    return *std::move(result);
  }
  async::EventLoop& loop() { return runtime->loop(0); }
  async::SimDiskImage& disk() { return machine.disk_image(); }
  std::string path_of(std::string_view file, int32_t number = 0) const;

  async::SimWorld world;
  async::SimMachine& machine;
  LogConfig config;
  bool sync_before_ack;
  std::unique_ptr<async::SimRuntime> runtime;
  std::unique_ptr<FileCache> files;
  std::unique_ptr<LogDirectory> directory;
};

// An upper bound that bounds nothing.
inline constexpr model::Offset kNoBound{INT64_MAX};
// Segments of about ten small batches, and an index entry for nearly each.
LogConfig small_segments();
// from, from + 1, … to - 1
std::vector<int64_t> numbers(int64_t from, int64_t to);
std::vector<int64_t> bases_of(const Slice& records);

AppendResult append_to(SimSite& site, Log& log, Slice records);
// Appends `count` batches of one record.
void fill(SimSite& site, Log& log, int count);
// Base offsets of all batches from `from` on, by reads that each continue where the one before ended.
std::vector<int64_t> read_all(SimSite& site, Log& log, model::Offset from, size_t max_bytes = 1 << 20);

// Batches that have a writer each, whose id tells them from all others.
Result<AppendResult> try_append(SimSite& site, Log& log, int64_t id);
void fill_ids(SimSite& site, Log& log, int64_t from, int64_t to);
// The ids of all batches, read to the end with their CRCs checked.
Result<std::vector<int64_t>> read_ids(SimSite& site, Log& log);

// The machine that runs the test, with a data directory below the temporary one.
class DiskSite {
 public:
  DiskSite();
  ~DiskSite();
  void boot();
  void stop(bool clean);

  template <class T>
  T run(async::Task<T> task) {
    std::optional<T> result;
    async::TaskScope scope(loop());
    std::promise<void> started;
    loop().post([&] {
      scope.spawn(keep_result(std::move(task), &result));
      started.set_value();
    });
    started.get_future().wait();
    run_to_end(scope);
    return *std::move(result);
  }
  async::EventLoop& loop() { return runtime->loop(0); }

  std::filesystem::path path;
  LogConfig config;
  std::unique_ptr<async::SystemRuntime> runtime;
  std::unique_ptr<FileCache> files;
  std::unique_ptr<LogDirectory> directory;

 private:
  void run_to_end(async::TaskScope& scope);
};

}  // namespace strom::log::testing
