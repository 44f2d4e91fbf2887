#include "log/segment.h"

#include "model/local_paths.h"

namespace strom::log {

namespace paths = model::local_paths;

std::shared_ptr<const SegmentPaths> segment_paths(const std::string& directory, model::Offset base) {
  auto path = [&](paths::LogFileKind kind) {
    return async::join_path(directory, paths::log_file(kind, base));
  };
  return std::make_shared<const SegmentPaths>(SegmentPaths{
      .log = path(paths::LogFileKind::kLog),
      .offset_index = path(paths::LogFileKind::kIndex),
      .time_index = path(paths::LogFileKind::kTimeIndex),
  });
}

std::vector<std::string> all_of(const SegmentPaths& segment) {
  return {segment.log, segment.offset_index, segment.time_index};
}

std::string snapshot_path(const std::string& directory, model::Offset offset) {
  return async::join_path(directory, paths::log_file(paths::LogFileKind::kWriterSnapshot, offset));
}

Segment::Segment(const std::string& directory, model::Offset base)
    : base_(base), paths_(segment_paths(directory, base)) {}

bool Segment::has_room(uint64_t bytes, model::Offset last, const LogConfig& config) const {
  // A batch that is larger than a segment gets one of its own.
  if (assigned_bytes_ == 0) return true;
  const uint64_t limit = std::min(config.segment_bytes, kMaxSegmentBytes);
  return assigned_bytes_ + bytes <= limit && last - base_ <= INT32_MAX &&
         (offset_index_.count() + 1) * OffsetEntry::kSize <= config.index_file_bytes &&
         (time_index_.count() + 1) * TimeEntry::kSize <= config.index_file_bytes;
}

void Segment::add(const format::LogBatchHeader& batch, uint64_t index_interval) {
  if (batch.commit_timestamp > max_timestamp_) {
    max_timestamp_ = batch.commit_timestamp;
    max_timestamp_offset_ = batch.base_offset;
  }
  if (bytes_since_entry_ > index_interval) {
    offset_index_.add(
        {static_cast<int32_t>(batch.last_offset() - base_), static_cast<int32_t>(assigned_bytes_)});
    finish_time_index();
    bytes_since_entry_ = 0;
  }
  bytes_since_entry_ += batch.size;
  assigned_bytes_ += batch.size;
}

void Segment::finish_time_index() {
  if (max_timestamp_ == model::kNoTimestamp) return;
  time_index_.add({max_timestamp_.value, static_cast<int32_t>(max_timestamp_offset_ - base_)});
}

SegmentView Segment::view(model::Offset end, bool with_indexes) const {
  SegmentView view{.paths = paths_, .base = base_, .end = end, .bytes = bytes_};
  if (!with_indexes) return view;
  view.offset_entries = offset_index_.in_file();
  view.time_entries = time_index_.in_file();
  view.recent_offsets = offset_index_.recent();
  view.recent_times = time_index_.recent();
  return view;
}

void Segment::restore(uint64_t bytes, SparseIndex<OffsetEntry> offsets, SparseIndex<TimeEntry> times) {
  bytes_ = assigned_bytes_ = bytes;
  offset_index_ = std::move(offsets);
  time_index_ = std::move(times);
  if (const auto& last = time_index_.last()) {
    max_timestamp_ = model::Timestamp(last->timestamp);
    max_timestamp_offset_ = base_ + last->relative_offset;
  }
}

}  // namespace strom::log
