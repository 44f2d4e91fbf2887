// Log: one bucket's log on disk: a row of segments, their indexes, and the state of its writers.
//     auto log = co_await Log::open(directory, loop, {bucket, directory.bucket_path(table, bucket), config});
//     auto result = co_await (*log)->append_as_leader(records);
//     ...
//     co_await (*log)->close();          // or remove(); before it is destroyed, in any case
// Offsets are gap-free and never change (INV-1). Lives on: the bucket's shard; all functions are for its
// loop. Files: docs/formats/{segment,index,writer-snapshot}.md. Upstream counterparts:
// server/log/{LogTablet,LocalLog}.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "async/scope.h"
#include "async/task.h"
#include "async/wait_list.h"
#include "base/bytes.h"
#include "base/clock.h"
#include "base/result.h"
#include "log/config.h"
#include "log/log_loader.h"
#include "log/log_reader.h"
#include "log/segment.h"
#include "log/writer_snapshot.h"
#include "log/writer_state.h"
#include "model/table_bucket.h"

namespace strom::log {

class LogDirectory;

struct LogSpec {
  model::TableBucket bucket;
  std::string path;  // LogDirectory::bucket_path()
  LogConfig config;
};

struct AppendOptions {
  // False for batches that this process built: their CRC is not checked again.
  bool check_crc = true;
};

struct AppendResult {
  model::Offset base_offset;   // of the first batch
  model::Offset next_offset;   // after the last batch
  model::Timestamp timestamp;  // commit timestamp
  // The batch was there already: the offsets are those of the original, nothing was written.
  bool duplicate = false;
};

struct SegmentInfo {
  model::Offset base_offset;
  model::Offset end_offset;
  uint64_t bytes = 0;
  model::Timestamp max_timestamp;  // kNoTimestamp: no batch
  bool active = false;
};

// Counts since the log was opened.
struct LogCounters {
  uint64_t appended_bytes = 0;
  uint64_t appended_records = 0;
  uint64_t appends = 0;
  uint64_t duplicates = 0;
  uint64_t reads = 0;
  uint64_t cold_reads = 0;  // those that had to wait for the disk
  uint64_t read_bytes = 0;
  uint64_t flushes = 0;
};

class Log {
 public:
  // Opens the log, or makes an empty one that starts at 0. After an unclean start it checks what follows the
  // recovery point, cuts a torn tail, and rebuilds indexes and writers. kLogStorage: the directory failed, or
  // data that was known to be on disk is damaged; nothing is changed then.
  static async::Task<Result<std::unique_ptr<Log>>> open(LogDirectory& directory, async::EventLoop& loop,
                                                        LogSpec spec);
  // After close() or remove() returned.
  ~Log();

  const model::TableBucket& bucket() const { return spec_.bucket; }
  const std::string& path() const { return spec_.path; }
  model::Offset start_offset() const { return segments_.front()->base(); }
  // After the last batch that was written; with group commit also synced. Appends in flight don't count.
  model::Offset end_offset() const { return end_; }
  // What lies before it is known to be on stable storage.
  model::Offset durable_offset() const { return durable_; }
  // Highest commit timestamp before end_offset(); kNoTimestamp when there is none.
  model::Timestamp max_timestamp() const { return max_timestamp_; }
  uint64_t size_bytes() const;
  std::vector<SegmentInfo> segments() const;
  size_t writer_count() const { return writers_.size(); }
  const LogCounters& counters() const { return counters_; }
  // Why the log can't be written any more, else what of it was found damaged; nothing while all is well. A
  // damaged segment is not served any more, the others are.
  const std::optional<Error>& error() const { return error_ ? error_ : damage_; }
  // Notified when end_offset() moved, when the log failed, and when it closes.
  async::WaitList& appended() { return appended_; }

  // Appends whole batches, all or none: checks them, gives them the next offsets and one commit timestamp
  // (written into `records`, which nobody else may be reading), and returns when they are written. Several
  // may be in flight; offsets are in the order of the calls. Errors: kCorruptRecord, kOutOfOrderSequence,
  // kLogStorage (the directory is offline, or the log is closed or damaged).
  async::Task<Result<AppendResult>> append_as_leader(Slice records, AppendOptions options = {});
  // Appends the leader's batches as they are. They must continue at the end (kLogOffsetOutOfRange).
  async::Task<Result<AppendResult>> append_as_follower(Slice records);

  // Reads whole batches of one segment, beginning with the one that contains `request.from`. Nothing to read
  // below the bound: an empty result. kLogOffsetOutOfRange: `from` is before the start or behind the end.
  async::Task<Result<ReadResult>> read(ReadRequest request);
  // Base offset of the first batch with a commit timestamp of at least `timestamp`; nothing when all are
  // older.
  async::Task<Result<std::optional<model::Offset>>> offset_for_timestamp(model::Timestamp timestamp);

  // Ends the active segment, if it has batches.
  async::Task<Status> roll();
  // Syncs what was written when it was called, and moves the recovery point.
  async::Task<Status> flush();
  // Removes the batch that contains `offset` and all later ones; without effect behind the end.
  //   before  [10 11 12][13 14][15]      truncate_to(14)      after  [10 11 12]
  async::Task<Status> truncate_to(model::Offset offset);
  // Removes everything; the next append is at `offset`.
  async::Task<Status> truncate_fully_and_start_at(model::Offset offset);
  // Removes segments from the oldest on while they end at or before `bound` and `may_delete` agrees; never
  // the active one. Returns how many.
  async::Task<Result<size_t>> delete_segments_before(model::Offset bound,
                                                     std::function<bool(const SegmentInfo&)> may_delete);
  // Forgets writers that are silent for longer than the configuration says; returns how many.
  size_t expire_writers(model::Timestamp now);

  // Refuses new calls, waits for those in flight, syncs everything. After an error the log is closed, too,
  // but will be recovered at the next open.
  async::Task<Status> close();
  // Closes and deletes the log.
  async::Task<Status> remove();

 private:
  class Operation;
  class Maintenance;
  class WriterCall;
  struct AppendPlan;

  Log(LogDirectory& directory, async::EventLoop& loop, LogSpec spec);
  void take(LoadedLog loaded);
  LoadRequest load_request() const;
  Segment& active() { return *segments_.back(); }
  model::Offset end_of(size_t segment) const;
  size_t index_of(model::Offset offset) const;  // of the segment that contains it
  // What lies before it is synced with its indexes.
  model::Offset recovery_point() const;
  Status usable() const;
  void fail(const Error& error);

  // log_append.cc
  async::Task<Result<AppendResult>> append(Slice records, AppendOrigin origin, bool check_crc);
  Result<AppendPlan> plan_append(ByteView records, AppendOrigin origin, bool check_crc);
  WriterTask begin_append(const Slice& records, AppendPlan& plan);
  void written(const AppendPlan& plan);
  async::Task<Result<AppendResult>> wait_for_original(WrittenBatch original);
  void start_segment();
  void flush_soon();

  // log_read.cc
  std::optional<BatchPosition> known_position(model::Offset offset) const;
  void remember_position(BatchPosition position);
  void note_damage(model::Offset segment_base, const Error& error);
  // The segment that has this base, unless it went away.
  Segment* segment_at(model::Offset base);

  // log_flush.cc
  async::Task<Status> begin_maintenance();
  async::Task<Status> wait_for_rolls();
  async::Task<Status> write_index_entries();
  async::Task<Status> sync_written(bool closing);
  async::Task<void> flush_in_background();
  async::Task<void> drain();
  async::Task<void> stop_calls();
  async::Task<Status> finish();

  // log_truncate.cc
  async::Task<Status> change_files(model::Offset recovery_point, WriterJob change);

  LogDirectory& directory_;
  async::EventLoop& loop_;
  const LogSpec spec_;
  const Clock& clock_;
  std::deque<std::unique_ptr<Segment>> segments_;  // never empty; the last is the active one
  WriterState writers_;                            // with what is in flight
  model::Offset next_;                             // of the next append: end_ and what is in flight
  model::Offset end_;
  model::Offset durable_;
  model::Timestamp max_timestamp_ = model::kNoTimestamp;       // before end_
  model::Timestamp next_min_timestamp_ = model::kNoTimestamp;  // with what is in flight
  std::optional<Error> error_;                                 // no more writes
  std::optional<Error> damage_;                                // a segment is not served
  LogCounters counters_;

  std::deque<BatchPosition> known_positions_;    // where reads have ended, newest last
  std::vector<WriterSnapshot> due_snapshots_;    // taken, to be written by the next flush
  std::optional<model::Offset> inner_snapshot_;  // the last one that is not at the base of a segment
  uint64_t bytes_since_snapshot_ = 0;
  int64_t records_since_flush_ = 0;
  size_t tasks_ = 0;          // that the writer has of this log
  size_t rolls_ = 0;          // of them: the end of a segment
  size_t operations_ = 0;     // calls that have not returned
  uint64_t generation_ = 0;   // of segments_: after a change, what a reader found may be wrong
  bool maintenance_ = false;  // flush, truncation and deletion exclude each other
  bool exclusive_ = false;    // appends wait: a truncation runs
  bool flush_scheduled_ = false;
  bool unchanged_ = false;  // since it was opened after a clean stop
  bool closing_ = false;
  bool closed_ = false;
  async::WaitList changed_;  // one of tasks_ to closed_
  async::WaitList appended_;
  async::TaskScope scope_;
};

}  // namespace strom::log
