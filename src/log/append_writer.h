// AppendWriter: the ordered writer of one data directory. What shards hand over is worked off in rounds: all
// that waits is taken at once, the appends of one log go to the disk in one vectored write, and each loop
// gets the completions of the round in one post. A failure latches: it and all that follows fail with its
// reason. submit() any thread; the work runs on the writer's own thread. Upstream has no counterpart.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <variant>
#include <vector>

#include "async/event_loop.h"
#include "async/worker.h"
#include "base/bytes.h"
#include "log/failure_latch.h"
#include "log/file_cache.h"

namespace strom::log {

struct SegmentPaths {
  std::string log;
  std::string offset_index;
  std::string time_index;
};

// Entries for an index file. May be empty.
struct IndexWrite {
  uint64_t position = 0;
  Buffer bytes;
};

// Writes them; without entries there need be no file.
Status write_index(FileCache& files, const std::string& path, const IndexWrite& write);

struct SegmentAppend {
  std::shared_ptr<const SegmentPaths> segment;
  uint64_t position = 0;
  Slice records;
  IndexWrite offset_index;
  IndexWrite time_index;
};

// Anything else that must happen between the appends of a log: runs on the writer's thread.
using WriterJob = std::move_only_function<Status()>;

struct WriterTask {
  const void* log = nullptr;  // the order is kept among tasks of one log
  async::EventLoop* loop = nullptr;
  std::variant<SegmentAppend, WriterJob> work;
  std::move_only_function<void(const Status&)> done;  // called on `loop`, in the order of the tasks
};

class AppendWriter {
 public:
  // `failure` belongs to the directory, and is set when a write fails.
  AppendWriter(std::unique_ptr<async::Worker> worker, FileCache& files, FailureLatch& failure, bool sync)
      : worker_(std::move(worker)), files_(files), failure_(failure), sync_(sync) {}
  // Nothing is pending by then.
  ~AppendWriter();

  void submit(WriterTask task);
  uint64_t pending_bytes() const { return pending_bytes_.load(std::memory_order_relaxed); }

 private:
  class Round;
  void run_round();

  std::unique_ptr<async::Worker> worker_;
  FileCache& files_;
  FailureLatch& failure_;
  const bool sync_;
  std::atomic<uint64_t> pending_bytes_ = 0;
  std::mutex mutex_;
  std::vector<WriterTask> queue_;
  bool scheduled_ = false;
};

}  // namespace strom::log
