// LogDirectory: one data directory: its lock, identity, checkpoints, clean-shutdown marker, and the one
// thread that writes to its logs. Any thread, unless a function says "loop". It outlives its logs. A failed
// write or sync takes it offline for good: writes answer kLogStorage with the reason, reads go on. Layout:
// docs/formats/local-layout.md, checkpoint.md. Upstream counterparts: server/log/LogManager,
// server/storage/LocalDiskManager.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "async/runtime.h"
#include "async/task.h"
#include "log/append_writer.h"
#include "log/checkpoint.h"
#include "log/failure_latch.h"
#include "log/file_cache.h"
#include "model/local_paths.h"

namespace strom::log {

struct LogDirectoryConfig {
  std::string path;
  model::ServerId server;
  // Group commit: an append completes only when it is on stable storage, one sync per file and round.
  bool sync_before_ack = false;
};

// A log directory that was there at the start.
struct FoundBucket {
  model::PhysicalTablePath table;
  model::TableBucket bucket;
  std::string path;
};

class LogDirectory {
 public:
  // Blocks; to be called before the shards run, or on a worker. Makes the directory when it is not there,
  // takes its lock (kLogStorage when another process has it), reads what is there and removes the
  // clean-shutdown marker.
  static Result<std::unique_ptr<LogDirectory>> open(async::Runtime& runtime, FileCache& files,
                                                    LogDirectoryConfig config);
  // All its logs are closed.
  ~LogDirectory();

  const std::string& path() const { return config_.path; }
  const std::string& disk_id() const { return disk_id_; }
  bool sync_before_ack() const { return config_.sync_before_ack; }
  // True when the last process shut down cleanly: no log needs recovery.
  bool started_clean() const { return started_clean_; }
  // Log directories on disk at the start. The owner opens those it still has, and removes the others.
  const std::vector<FoundBucket>& found_buckets() const { return found_; }
  // Where the log of a bucket lies in this data directory.
  std::string bucket_path(const model::PhysicalTablePath& table, const model::TableBucket& bucket) const;

  // Why the directory is offline; nothing while it works.
  std::optional<Error> offline() const { return failure_.get(); }
  void take_offline(const Error& reason);
  // Bytes of appends that wait to be written.
  uint64_t pending_bytes() const { return writer_->pending_bytes(); }

  // Logs keep their recovery points here; a log that is flushed moves its own.
  OffsetCheckpoint& recovery_points() { return recovery_points_; }
  // The owner of a bucket keeps its watermark here. Not set: 0.
  OffsetCheckpoint& high_watermarks() { return high_watermarks_; }
  // Loop: writes the files. The owner calls them on timers (log.flush.offset.checkpoint-interval, after it
  // flushed its logs; log.replica.high-watermark.checkpoint-interval).
  async::Task<Status> checkpoint_recovery_points(async::EventLoop& loop);
  async::Task<Status> checkpoint_high_watermarks(async::EventLoop& loop);

  // Loop: removes a log that is not open, without reading it (that of a dropped table).
  async::Task<Status> remove_bucket(async::EventLoop& loop, model::TableBucket bucket, std::string path);
  // Loop: to be called at the end, when all logs are closed: writes the checkpoints and, if every log here is
  // known to be whole, the clean-shutdown marker.
  async::Task<Status> shut_down(async::EventLoop& loop);

  // --- for Log
  async::Runtime& runtime() { return runtime_; }
  FileCache& files() { return files_; }
  AppendWriter& writer() { return *writer_; }
  // Called when a log is opened: true when it needs no recovery. From then on it counts as unclean until
  // closed_cleanly() or removed().
  // True when the file of recovery points could not be read.
  bool recovery_points_lost() const { return recovery_points_lost_; }
  bool begin_open(const model::TableBucket& bucket);
  void closed_cleanly(const model::TableBucket& bucket);
  // Block: make the directory of a log durably; rename it out of the way and remove it, and the directories
  // above that have nothing left.
  Status create_log_directory(const model::TableBucket& bucket, const std::string& path);
  Status remove_log_directory(const model::TableBucket& bucket, const std::string& path);

 private:
  LogDirectory(async::Runtime& runtime, FileCache& files, LogDirectoryConfig config);
  Status start();
  Status load_identity();
  bool load_checkpoint(OffsetCheckpoint& checkpoint);
  Status find_buckets_below(const std::string& relative, int depth);
  Status finish();
  async::Task<Status> write_checkpoint(async::EventLoop& loop, OffsetCheckpoint& checkpoint);

  async::Runtime& runtime_;
  FileCache& files_;
  const LogDirectoryConfig config_;
  std::unique_ptr<async::DirectoryLock> lock_;
  std::string disk_id_;
  bool started_clean_ = false;
  bool recovery_points_lost_ = false;
  std::vector<FoundBucket> found_;
  FailureLatch failure_;
  OffsetCheckpoint recovery_points_;
  OffsetCheckpoint high_watermarks_;
  std::mutex clean_mutex_;
  std::map<model::TableBucket, bool> clean_;  // logs known here: whole on disk?
  std::mutex layout_mutex_;                   // making and removing directories that logs share
  std::unique_ptr<AppendWriter> writer_;
};

}  // namespace strom::log
