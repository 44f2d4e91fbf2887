#include "log/log_directory.h"

#include <algorithm>

#include "base/logging.h"
#include "log/disk_properties.h"

namespace strom::log {

namespace paths = model::local_paths;
using async::join_path;

LogDirectory::LogDirectory(async::Runtime& runtime, FileCache& files, LogDirectoryConfig config)
    : runtime_(runtime),
      files_(files),
      config_(std::move(config)),
      recovery_points_(runtime.disk(), join_path(config_.path, paths::kRecoveryPointCheckpoint)),
      high_watermarks_(runtime.disk(), join_path(config_.path, paths::kHighWatermarkCheckpoint)) {}

LogDirectory::~LogDirectory() = default;

Result<std::unique_ptr<LogDirectory>> LogDirectory::open(async::Runtime& runtime, FileCache& files,
                                                         LogDirectoryConfig config) {
  std::unique_ptr<LogDirectory> directory(new LogDirectory(runtime, files, std::move(config)));
  STROM_TRY(directory->start());
  return directory;
}

Status LogDirectory::start() {
  async::Disk& disk = runtime_.disk();
  STROM_TRY(disk.create_directories(path()));
  lock_ = STROM_TRY(disk.lock(join_path(path(), paths::kLockFile)));
  STROM_TRY(load_identity());

  const std::string marker = join_path(path(), paths::kCleanShutdownMarker);
  started_clean_ = disk.exists(marker);
  STROM_TRY(disk.remove(marker));
  STROM_TRY(disk.sync_directory(path()));

  recovery_points_lost_ = !load_checkpoint(recovery_points_);
  load_checkpoint(high_watermarks_);
  STROM_TRY(find_buckets_below("", 0));
  for (const FoundBucket& found : found_) clean_[found.bucket] = started_clean_;
  writer_ = std::make_unique<AppendWriter>(runtime_.make_writer("log-writer"), files_, failure_,
                                           config_.sync_before_ack);
  return {};
}

Status LogDirectory::load_identity() {
  const std::string file = join_path(path(), paths::kDiskProperties);
  if (runtime_.disk().exists(file)) {
    Buffer content = STROM_TRY(runtime_.disk().read_file(file, 64 << 10));
    auto parsed = parse_disk_properties(as_text(content));
    if (!parsed.ok()) {
      return make_error(ErrorCode::kLogStorage, "can't use {}: {}", file, parsed.error().message);
    }
    if (parsed->server != config_.server) {
      return make_error(ErrorCode::kLogStorage,
                        "{} says that the data is of server {}, but this is server {}; give this server its "
                        "own data directory, or the id {}",
                        file, parsed->server, config_.server, parsed->server);
    }
    disk_id_ = parsed->disk_id;
    return {};
  }
  disk_id_ = make_disk_id(runtime_.random(), runtime_.random());
  return runtime_.disk().replace_file(file, as_bytes(render_disk_properties({disk_id_, config_.server})));
}

bool LogDirectory::load_checkpoint(OffsetCheckpoint& checkpoint) {
  Status status = checkpoint.load();
  if (!status.ok()) log_warn("log", "{}; going on without it", status.error().message);
  return status.ok();
}

Status LogDirectory::find_buckets_below(const std::string& relative, int depth) {
  constexpr int kMaxDepth = 3;  // database / table / partition / bucket
  async::Disk& disk = runtime_.disk();
  const std::string here = relative.empty() ? path() : join_path(path(), relative);
  for (const async::DirectoryEntry& entry : STROM_TRY(disk.list(here))) {
    if (!entry.is_directory || entry.name.starts_with('.') || entry.name == paths::kRemoteLogIndexCache)
      continue;
    const std::string child = join_path(relative, entry.name);
    if (entry.name.ends_with(paths::kDeletedSuffix)) {
      STROM_TRY(disk.remove_all(join_path(path(), child)));
    } else if (auto found = paths::parse_bucket_dir(child)) {
      if (!found->is_kv) found_.push_back({found->path, found->bucket, join_path(path(), child)});
    } else if (depth < kMaxDepth) {
      STROM_TRY(find_buckets_below(child, depth + 1));
    }
  }
  return {};
}

std::string LogDirectory::bucket_path(const model::PhysicalTablePath& table,
                                      const model::TableBucket& bucket) const {
  return join_path(path(), paths::log_dir(table, bucket));
}

void LogDirectory::take_offline(const Error& reason) {
  if (failure_.set(reason)) log_error("log", "data directory {} goes offline: {}", path(), reason.message);
}

async::Task<Status> LogDirectory::write_checkpoint(async::EventLoop& loop, OffsetCheckpoint& checkpoint) {
  if (auto failed = offline()) co_return *failed;
  Status status = co_await async::run_on(runtime_.pool(), loop, [&checkpoint] { return checkpoint.write(); });
  if (!status.ok()) take_offline(status.error());
  co_return status;
}

async::Task<Status> LogDirectory::checkpoint_recovery_points(async::EventLoop& loop) {
  return write_checkpoint(loop, recovery_points_);
}

async::Task<Status> LogDirectory::checkpoint_high_watermarks(async::EventLoop& loop) {
  return write_checkpoint(loop, high_watermarks_);
}

async::Task<Status> LogDirectory::remove_bucket(async::EventLoop& loop, model::TableBucket bucket,
                                                std::string path) {
  co_return co_await async::run_on(runtime_.pool(), loop, [this, bucket, path = std::move(path)] {
    return remove_log_directory(bucket, path);
  });
}

async::Task<Status> LogDirectory::shut_down(async::EventLoop& loop) {
  if (auto failed = offline()) co_return *failed;
  co_return co_await async::run_on(runtime_.pool(), loop, [this] { return finish(); });
}

Status LogDirectory::finish() {
  STROM_TRY(recovery_points_.write());
  STROM_TRY(high_watermarks_.write());
  {
    std::lock_guard lock(clean_mutex_);
    for (const auto& [bucket, clean] : clean_) {
      if (clean) continue;
      log_warn("log", "no clean shutdown of {}: the log of bucket {} was not closed in order", path(),
               bucket);
      return {};
    }
  }
  auto marker = STROM_TRY(
      runtime_.disk().open(join_path(path(), paths::kCleanShutdownMarker), async::OpenMode::kCreate));
  STROM_TRY(marker->sync());
  return runtime_.disk().sync_directory(path());
}

bool LogDirectory::begin_open(const model::TableBucket& bucket) {
  std::lock_guard lock(clean_mutex_);
  return std::exchange(clean_[bucket], false);
}

void LogDirectory::closed_cleanly(const model::TableBucket& bucket) {
  std::lock_guard lock(clean_mutex_);
  clean_[bucket] = true;
}

Status LogDirectory::create_log_directory(const model::TableBucket& bucket, const std::string& log_path) {
  std::lock_guard lock(layout_mutex_);
  async::Disk& disk = runtime_.disk();
  if (disk.exists(log_path)) return {};
  // A log that was removed may have left its recovery point in the file; it says nothing about the new one.
  STROM_TRY(recovery_points_.erase_durably(bucket));
  STROM_TRY(disk.create_directories(log_path));
  for (std::string at = async::parent_path(log_path); at.size() >= path().size();
       at = async::parent_path(at)) {
    STROM_TRY(disk.sync_directory(at));
  }
  return {};
}

Status LogDirectory::remove_log_directory(const model::TableBucket& bucket, const std::string& log_path) {
  async::Disk& disk = runtime_.disk();
  const std::string doomed = log_path + std::string(paths::kDeletedSuffix);
  files_.forget_below(log_path);
  if (disk.exists(log_path)) {
    STROM_TRY(disk.remove_all(doomed));
    STROM_TRY(disk.rename(log_path, doomed));
    STROM_TRY(disk.sync_directory(async::parent_path(log_path)));
  }
  recovery_points_.erase(bucket);
  high_watermarks_.erase(bucket);
  {
    std::lock_guard lock(clean_mutex_);
    clean_.erase(bucket);
  }
  STROM_TRY(disk.remove_all(doomed));

  std::lock_guard lock(layout_mutex_);
  for (std::string at = async::parent_path(log_path); at.size() > path().size();
       at = async::parent_path(at)) {
    if (!disk.exists(at)) continue;
    if (!STROM_TRY(disk.list(at)).empty()) break;
    STROM_TRY(disk.remove_all(at));
  }
  return {};
}

}  // namespace strom::log
