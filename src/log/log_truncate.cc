#include <algorithm>

#include "log/log_internal.h"
#include "model/local_paths.h"

namespace strom::log {

using model::Offset;
namespace paths = model::local_paths;

namespace {

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

}  // namespace strom::log
