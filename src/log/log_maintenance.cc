#include <algorithm>

#include "base/logging.h"
#include "log/log_internal.h"
#include "model/local_paths.h"

namespace strom::log {

using model::Offset;
namespace paths = model::local_paths;

namespace {

constexpr uint64_t kBytesPerInnerSnapshot = 64 << 20;

std::string snapshot_path(const std::string& directory, Offset offset) {
  return async::join_path(directory, paths::log_file(paths::LogFileKind::kWriterSnapshot, offset));
}

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

std::vector<std::string> all_of(const SegmentPaths& segment) {
  return {segment.log, segment.offset_index, segment.time_index};
}

Status remove_files(FileCache& files, const std::vector<std::string>& names) {
  for (const std::string& path : names) {
    files.forget(path);
    STROM_TRY(files.disk().remove(path));
  }
  return {};
}

// Takes segments out of the log at once, durably, and deletes them after that.
Status delete_files(FileCache& files, const std::string& directory, const std::vector<std::string>& names) {
  std::vector<std::string> renamed;
  for (const std::string& path : names) {
    if (!files.disk().exists(path)) continue;
    files.forget(path);
    renamed.push_back(path + std::string(paths::kDeletedSuffix));
    STROM_TRY(files.disk().rename(path, renamed.back()));
  }
  STROM_TRY(files.disk().sync_directory(directory));
  return remove_files(files, renamed);
}

// All files of a log, the newest segments first: what is left after a crash is a log without a hole.
Result<std::vector<std::string>> files_newest_first(async::Disk& disk, const std::string& directory) {
  std::vector<std::pair<Offset, std::string>> found;
  for (const async::DirectoryEntry& entry : STROM_TRY(disk.list(directory))) {
    auto file = paths::parse_log_file(entry.name);
    if (file) found.emplace_back(file->offset, async::join_path(directory, entry.name));
  }
  std::ranges::sort(found, std::greater());
  std::vector<std::string> names;
  for (auto& [offset, path] : found) names.push_back(std::move(path));
  return names;
}

}  // namespace

async::Task<Status> Log::begin_maintenance() {
  while (maintenance_ && !closing_) co_await changed_.wait(async::Deadline{});
  STROM_CO_TRY(usable());
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
  flush_scheduled_ = false;
  Status status = co_await flush();
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
  if (work.files.empty() && work.snapshots.empty()) co_return Status();
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

async::Task<Status> Log::truncate_to(Offset offset) {
  Operation operation(*this);
  STROM_CO_TRY(co_await begin_maintenance());
  Maintenance maintenance(*this);
  exclusive_ = true;
  co_await drain();
  STROM_CO_TRY(usable());
  if (offset >= end_) co_return Status();
  offset = std::max(offset, start_offset());

  const size_t index = index_of(offset);
  FileCache& files = directory_.files();
  auto find = [&files, view = segments_[index]->view(end_of(index), true), offset] {
    SegmentIo io(files, SegmentIo::Mode::kBlocking);
    return locate(io, view, offset);
  };
  const BatchPosition cut =
      STROM_CO_TRY(co_await async::run_on(directory_.runtime().pool(), loop_, std::move(find)));
  std::vector<std::string> doomed;
  for (size_t i = segments_.size(); i-- > index + 1;) {
    for (std::string& path : all_of(*segments_[i]->paths())) doomed.push_back(std::move(path));
  }
  auto change = [&files, doomed = std::move(doomed), cut, directory = spec_.path,
                 path = segments_[index]->paths()->log]() -> Status {
    STROM_TRY(remove_files(files, doomed));
    STROM_TRY(files.disk().sync_directory(directory));
    auto file = STROM_TRY(files.open(path));
    STROM_TRY(file->truncate(cut.position));
    return file->sync();
  };
  co_return co_await change_files(std::min(recovery_point(), cut.offset), std::move(change));
}

async::Task<Status> Log::truncate_fully_and_start_at(Offset offset) {
  Operation operation(*this);
  STROM_CO_TRY(co_await begin_maintenance());
  Maintenance maintenance(*this);
  exclusive_ = true;
  co_await drain();
  STROM_CO_TRY(usable());
  FileCache& files = directory_.files();
  auto change = [&files, directory = spec_.path, first = segment_paths(spec_.path, offset)]() -> Status {
    auto doomed = STROM_TRY(files_newest_first(files.disk(), directory));
    STROM_TRY(remove_files(files, doomed));
    // Nothing of the old log may come back beside the new one.
    STROM_TRY(files.disk().sync_directory(directory));
    return create_segment(files, *first);
  };
  co_return co_await change_files(std::min(start_offset(), offset), std::move(change));
}

// Changes files below the end and loads the log again. Appends are held off.
async::Task<Status> Log::change_files(Offset recovery_point, WriterJob change) {
  unchanged_ = false;
  ++generation_;  // what reads find from here on is not what they looked for
  known_positions_.clear();
  directory_.recovery_points().set(spec_.bucket, recovery_point);
  // Before the change, on disk: what is appended after it may be torn, and must be checked then.
  STROM_CO_TRY(co_await directory_.checkpoint_recovery_points(loop_));
  STROM_CO_TRY(co_await WriterCall(*this, WriterTask{.work = std::move(change)}, nullptr));
  LoadRequest request = load_request();
  request.recovery_point = recovery_point;
  FileCache& files = directory_.files();
  auto load = [&files, request = std::move(request)] { return load_log(files, request); };
  auto loaded = co_await async::run_on(directory_.runtime().pool(), loop_, std::move(load));
  if (!loaded.ok()) {
    fail(loaded.error());
    co_return std::move(loaded).error();
  }
  take(*std::move(loaded));
  appended_.notify_all();
  co_return Status();
}

async::Task<Result<size_t>> Log::delete_segments_before(Offset bound,
                                                        std::function<bool(const SegmentInfo&)> may_delete) {
  Operation operation(*this);
  STROM_CO_TRY(co_await begin_maintenance());
  Maintenance maintenance(*this);
  STROM_CO_TRY(co_await wait_for_rolls());
  const std::vector<SegmentInfo> infos = segments();
  std::vector<std::string> doomed;
  size_t count = 0;
  while (count + 1 < infos.size() && infos[count].end_offset <= bound && may_delete(infos[count])) {
    for (std::string& path : all_of(*segments_[count]->paths())) doomed.push_back(std::move(path));
    doomed.push_back(snapshot_path(spec_.path, infos[count].base_offset));
    ++count;
  }
  if (count == 0) co_return size_t{0};
  // From here on the start is behind them; who reads them still has them open.
  segments_.erase(segments_.begin(), segments_.begin() + static_cast<ptrdiff_t>(count));
  unchanged_ = false;
  FileCache& files = directory_.files();
  auto work = [&files, directory = spec_.path, doomed = std::move(doomed)] {
    return delete_files(files, directory, doomed);
  };
  Status status = co_await async::run_on(directory_.runtime().pool(), loop_, std::move(work));
  if (!status.ok()) {
    directory_.take_offline(status.error());
    fail(status.error());
    co_return status.error();
  }
  co_return count;
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

async::Task<Status> Log::close() {
  if (closing_) {
    while (!closed_) co_await changed_.wait(async::Deadline{});
    co_return Status();
  }
  closing_ = true;
  appended_.notify_all();
  changed_.notify_all();
  while (operations_ > 0) co_await changed_.wait(async::Deadline{});
  co_await scope_.stop();
  co_await drain();
  Status status = co_await finish();
  if (status.ok()) directory_.closed_cleanly(spec_.bucket);
  closed_ = true;
  changed_.notify_all();
  co_return status;
}

async::Task<Status> Log::remove() {
  STROM_CHECK(!closing_, "removing the log of bucket {}, which is closed", spec_.bucket);
  closing_ = true;
  appended_.notify_all();
  changed_.notify_all();
  while (operations_ > 0) co_await changed_.wait(async::Deadline{});
  co_await scope_.stop();
  co_await drain();
  Status status = co_await directory_.remove_bucket(loop_, spec_.bucket, spec_.path);
  closed_ = true;
  changed_.notify_all();
  co_return status;
}

}  // namespace strom::log
