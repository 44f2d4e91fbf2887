#include <algorithm>

#include "base/logging.h"
#include "log/log_internal.h"
#include "model/local_paths.h"

namespace strom::log {

using model::Offset;
namespace paths = model::local_paths;

namespace {

constexpr uint64_t kBytesPerInnerSnapshot = 64 << 20;

// Files to sync and snapshots to write: what a flush does away from the shard.
struct FlushWork {
  std::vector<std::string> files;
  std::vector<WriterSnapshot> snapshots;
  std::optional<Offset> old_snapshot;
};

Status flush_files(FileCache& files, const std::string& directory, const FlushWork& work) {
  for (const std::string& path : work.files) {
    auto file = STROM_TRY(files.open(path));
    STROM_TRY(file->sync());
  }
  for (const WriterSnapshot& snapshot : work.snapshots) {
    STROM_TRY(files.disk().replace_file(snapshot_path(directory, snapshot.offset), as_bytes(snapshot.json)));
  }
  if (work.old_snapshot) STROM_TRY(files.disk().remove(snapshot_path(directory, *work.old_snapshot)));
  return {};
}

}  // namespace

async::Task<Status> Log::begin_maintenance() {
  while (maintenance_ && !closing_) co_await changed_.wait(async::Deadline{});
  STROM_CO_TRY(usable());
  // After a failed sync a later one may succeed without having written anything.
  if (auto failed = directory_.offline()) co_return *failed;
  maintenance_ = true;
  co_return Status();
}

async::Task<Status> Log::wait_for_rolls() {
  while (rolls_ > 0 && !error_) co_await changed_.wait(async::Deadline{});
  if (error_) co_return *error_;
  co_return Status();
}

async::Task<void> Log::drain() {
  while (tasks_ > 0) co_await changed_.wait(async::Deadline{});
}

async::Task<Status> Log::roll() {
  Operation operation(*this);
  while (exclusive_ && !closing_) co_await changed_.wait(async::Deadline{});
  STROM_CO_TRY(usable());
  if (active().assigned_bytes() > 0) start_segment();
  co_return co_await wait_for_rolls();
}

async::Task<Status> Log::flush() {
  Operation operation(*this);
  STROM_CO_TRY(co_await begin_maintenance());
  Maintenance maintenance(*this);
  co_return co_await sync_written(false);
}

async::Task<void> Log::flush_in_background() {
  Operation operation(*this);
  Status status = co_await begin_maintenance();
  flush_scheduled_ = false;  // what is written from here on needs another one
  if (status.ok()) {
    Maintenance maintenance(*this);
    status = co_await sync_written(false);
  }
  // A failure is kept in error_ and takes the directory offline.
  if (!status.ok()) log_debug("log", "bucket {} was not flushed: {}", spec_.bucket, status.error().message);
}

async::Task<Status> Log::sync_written(bool closing) {
  STROM_CO_TRY(co_await wait_for_rolls());
  const bool index_grew = active().offset_index().not_taken() + active().time_index().not_taken() > 0;
  if (index_grew) {
    STROM_CO_TRY(co_await write_index_entries());
    STROM_CO_TRY(co_await wait_for_rolls());
  }
  const Offset target = end_;
  if (closing || (bytes_since_snapshot_ > kBytesPerInnerSnapshot && writers_.size() > 0)) {
    due_snapshots_.push_back(make_writer_snapshot(writers_, next_));
    bytes_since_snapshot_ = 0;
  }
  FlushWork work{.snapshots = std::exchange(due_snapshots_, {})};
  std::vector<Offset> sealed;
  for (size_t i = 0; i + 1 < segments_.size(); ++i) {
    if (segments_[i]->sealed()) continue;
    sealed.push_back(segments_[i]->base());
    for (std::string& path : all_of(*segments_[i]->paths())) work.files.push_back(std::move(path));
  }
  if (index_grew || closing) {
    for (std::string& path : all_of(*active().paths())) work.files.push_back(std::move(path));
  } else if (durable_ < target) {
    work.files.push_back(active().paths()->log);
  }
  if (work.files.empty() && work.snapshots.empty()) {
    directory_.recovery_points().set(spec_.bucket, recovery_point());
    co_return Status();
  }
  // One snapshot inside of a segment is enough.
  if (!work.snapshots.empty()) {
    work.old_snapshot = std::exchange(inner_snapshot_, std::nullopt);
    const Offset newest = work.snapshots.back().offset;
    if (newest != active().base()) inner_snapshot_ = newest;
    if (work.old_snapshot == newest) work.old_snapshot.reset();
  }

  records_since_flush_ = 0;
  FileCache& files = directory_.files();
  auto run = [&files, directory = spec_.path, work = std::move(work)] {
    return flush_files(files, directory, work);
  };
  Status status = co_await async::run_on(directory_.runtime().pool(), loop_, std::move(run));
  if (!status.ok()) {
    directory_.take_offline(status.error());
    fail(status.error());
    co_return status;
  }
  ++counters_.flushes;
  durable_ = std::max(durable_, target);
  for (Offset base : sealed) {
    if (Segment* segment = segment_at(base)) segment->set_sealed();
  }
  directory_.recovery_points().set(spec_.bucket, recovery_point());
  co_return Status();
}

// The newest index entries, which an unclean start needs to find the recovery point.
async::Task<Status> Log::write_index_entries() {
  Segment& segment = active();
  IndexWrite offsets = segment.offset_index().take();
  IndexWrite times = segment.time_index().take();
  const size_t offset_bytes = offsets.bytes.size();
  const size_t time_bytes = times.bytes.size();
  WriterJob job = [&files = directory_.files(), offsets = std::move(offsets), times = std::move(times),
                   paths = segment.paths()]() -> Status {
    STROM_TRY(write_index(files, paths->offset_index, offsets));
    return write_index(files, paths->time_index, times);
  };
  STROM_CO_TRY(co_await WriterCall(*this, WriterTask{.work = std::move(job)}, nullptr));
  segment.offset_index().written(offset_bytes);
  segment.time_index().written(time_bytes);
  co_return Status();
}

async::Task<Status> Log::finish() {
  if (error_) co_return *error_;
  if (auto failed = directory_.offline()) co_return *failed;
  if (unchanged_) co_return Status();
  active().finish_time_index();
  co_return co_await sync_written(true);
}

// Refuses new calls, and waits for those that were made.
async::Task<void> Log::stop_calls() {
  closing_ = true;
  appended_.notify_all();
  changed_.notify_all();
  while (operations_ > 0) co_await changed_.wait(async::Deadline{});
  co_await scope_.stop();
  co_await drain();
}

async::Task<Status> Log::close() {
  if (closing_) {
    while (!closed_) co_await changed_.wait(async::Deadline{});
    co_return Status();
  }
  co_await stop_calls();
  Status status = co_await finish();
  if (status.ok()) directory_.closed_cleanly(spec_.bucket);
  closed_ = true;
  changed_.notify_all();
  co_return status;
}

async::Task<Status> Log::remove() {
  STROM_CHECK(!closing_, "removing the log of bucket {}, which is closed", spec_.bucket);
  co_await stop_calls();
  Status status = co_await directory_.remove_bucket(loop_, spec_.bucket, spec_.path);
  closed_ = true;
  changed_.notify_all();
  co_return status;
}

}  // namespace strom::log
