#include "log/log.h"

#include <algorithm>

#include "base/logging.h"
#include "log/log_internal.h"

namespace strom::log {

using model::Offset;

Log::Log(LogDirectory& directory, async::EventLoop& loop, LogSpec spec)
    : directory_(directory),
      loop_(loop),
      spec_(std::move(spec)),
      clock_(directory.runtime().clock()),
      changed_(loop),
      appended_(loop),
      scope_(loop) {}

Log::~Log() { STROM_CHECK(closed_, "the log of bucket {} goes away without close()", spec_.bucket); }

namespace {

Result<LoadedLog> make_and_load(LogDirectory& directory, const model::TableBucket& bucket,
                                LoadRequest request) {
  STROM_TRY(directory.create_log_directory(bucket, request.path));
  request.recovery_point = directory.recovery_points().get(bucket).value_or(Offset(0));
  return load_log(directory.files(), request);
}

}  // namespace

async::Task<Result<std::unique_ptr<Log>>> Log::open(LogDirectory& directory, async::EventLoop& loop,
                                                    LogSpec spec) {
  if (auto failed = directory.offline()) co_return *failed;
  std::unique_ptr<Log> log(new Log(directory, loop, std::move(spec)));
  log->closed_ = true;
  const model::TableBucket bucket = log->bucket();
  LoadRequest request = log->load_request();
  request.clean = directory.begin_open(bucket);
  auto load = [&directory, bucket, request] { return make_and_load(directory, bucket, request); };
  auto loaded = co_await async::run_on(directory.runtime().pool(), loop, std::move(load));
  if (!loaded.ok()) {
    // A log that could not be loaded was not changed.
    if (request.clean) directory.closed_cleanly(bucket);
    co_return std::move(loaded).error();
  }
  log->closed_ = false;
  log->unchanged_ = request.clean;
  log->take(*std::move(loaded));
  co_return std::move(log);
}

LoadRequest Log::load_request() const {
  return {.path = spec_.path,
          .name = fmt::format("{}", spec_.bucket),
          .config = spec_.config,
          .recovery_point_lost = directory_.recovery_points_lost(),
          .now = model::Timestamp(clock_.wall_ms())};
}

void Log::take(LoadedLog loaded) {
  segments_ = std::move(loaded.segments);
  writers_ = std::move(loaded.writers);
  next_ = end_ = durable_ = loaded.end;
  max_timestamp_ = model::kNoTimestamp;
  for (size_t i = 0; i < segments_.size(); ++i) {
    max_timestamp_ = std::max(max_timestamp_, segments_[i]->max_timestamp());
    if (i + 1 < segments_.size()) segments_[i]->set_sealed();
  }
  next_min_timestamp_ = max_timestamp_;
  known_positions_.clear();
  due_snapshots_.clear();
  inner_snapshot_.reset();
  ++generation_;
  directory_.recovery_points().set(spec_.bucket, recovery_point());
}

Offset Log::end_of(size_t segment) const {
  return segment + 1 < segments_.size() ? std::min(segments_[segment + 1]->base(), end_) : end_;
}

size_t Log::index_of(Offset offset) const {
  auto after =
      std::ranges::upper_bound(segments_, offset, {}, [](const auto& segment) { return segment->base(); });
  return static_cast<size_t>(std::max<ptrdiff_t>(after - segments_.begin() - 1, 0));
}

Offset Log::recovery_point() const {
  for (size_t i = 0; i + 1 < segments_.size(); ++i) {
    if (!segments_[i]->sealed()) return std::min(durable_, segments_[i]->base());
  }
  return durable_;
}

uint64_t Log::size_bytes() const {
  uint64_t bytes = 0;
  for (const auto& segment : segments_) bytes += segment->bytes();
  return bytes;
}

std::vector<SegmentInfo> Log::segments() const {
  std::vector<SegmentInfo> infos;
  for (size_t i = 0; i < segments_.size(); ++i) {
    const Segment& segment = *segments_[i];
    infos.push_back(
        {segment.base(), end_of(i), segment.bytes(), segment.max_timestamp(), i + 1 == segments_.size()});
  }
  return infos;
}

size_t Log::expire_writers(model::Timestamp now) {
  return writers_.expire(now - spec_.config.writer_expiration.count());
}

Status Log::usable() const {
  if (closing_) return make_error(ErrorCode::kLogStorage, "the log of bucket {} is closed", spec_.bucket);
  if (error_) return *error_;
  return {};
}

void Log::fail(const Error& error) {
  if (!error_) {
    error_ = error;
    log_error("log", "bucket {} takes no more writes: {}", spec_.bucket, error.message);
  }
  appended_.notify_all();
  changed_.notify_all();
}

}  // namespace strom::log
