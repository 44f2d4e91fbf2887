// Segment: one .log file with its indexes, as the shard sees it: sizes, newest index entries, highest
// timestamp. It does no I/O: writes go through the AppendWriter, reads through log_reader.h with a
// SegmentView. Lives on: the bucket's shard (and on a worker while the log is loaded). Format:
// docs/formats/segment.md. Upstream counterpart: server/log/LogSegment.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "format/log_batch.h"
#include "log/append_writer.h"
#include "log/config.h"
#include "log/index_file.h"

namespace strom::log {

// Positions in index files are 31 bits.
inline constexpr uint64_t kMaxSegmentBytes = INT32_MAX;
// So many new index entries stay in memory before they are written.
inline constexpr size_t kIndexEntriesPerWrite = 512;

std::shared_ptr<const SegmentPaths> segment_paths(const std::string& directory, model::Offset base);

std::vector<std::string> all_of(const SegmentPaths& segment);
std::string snapshot_path(const std::string& directory, model::Offset offset);

// What a reader must know of a segment; a copy, for other threads.
struct SegmentView {
  std::shared_ptr<const SegmentPaths> paths;
  model::Offset base;
  model::Offset end;            // after the last batch that may be read
  uint64_t bytes = 0;           // that may be read
  uint64_t offset_entries = 0;  // in the files
  uint64_t time_entries = 0;
  std::vector<OffsetEntry> recent_offsets;  // not in the files yet
  std::vector<TimeEntry> recent_times;
};

class Segment {
 public:
  Segment(const std::string& directory, model::Offset base);

  model::Offset base() const { return base_; }
  const std::shared_ptr<const SegmentPaths>& paths() const { return paths_; }
  // Of batches that are written; and with those that are on the way.
  uint64_t bytes() const { return bytes_; }
  uint64_t assigned_bytes() const { return assigned_bytes_; }
  // Highest commit timestamp, with batches on the way; kNoTimestamp without batches.
  model::Timestamp max_timestamp() const { return max_timestamp_; }
  SparseIndex<OffsetEntry>& offset_index() { return offset_index_; }
  SparseIndex<TimeEntry>& time_index() { return time_index_; }

  // False when `bytes` more, of which the last record is `last`, must go to a new segment.
  bool has_room(uint64_t bytes, model::Offset last, const LogConfig& config) const;
  // Takes a batch into account, which goes to assigned_bytes(). `batch` has its final offsets and timestamp.
  void add(const format::LogBatchHeader& batch, uint64_t index_interval);
  // So many more bytes are in the file.
  void written(uint64_t bytes) { bytes_ += bytes; }
  // Makes the time index complete: called when the segment gets no more batches for now.
  void finish_time_index();

  SegmentView view(model::Offset end, bool with_indexes) const;

  // True once it has got its last batch, and is on stable storage with its indexes.
  bool sealed() const { return sealed_; }
  void set_sealed() { sealed_ = true; }

  // Why this segment is not served any more (INV-8).
  const std::optional<Error>& damage() const { return damage_; }
  void set_damage(Error error) { damage_ = std::move(error); }

  // For loading: the state of a file that holds `bytes` of whole batches, with these index entries.
  void restore(uint64_t bytes, SparseIndex<OffsetEntry> offsets, SparseIndex<TimeEntry> times);

 private:
  const model::Offset base_;
  const std::shared_ptr<const SegmentPaths> paths_;
  uint64_t bytes_ = 0;
  uint64_t assigned_bytes_ = 0;
  uint64_t bytes_since_entry_ = 0;
  model::Timestamp max_timestamp_ = model::kNoTimestamp;
  model::Offset max_timestamp_offset_;  // base offset of the first batch that has it
  SparseIndex<OffsetEntry> offset_index_;
  SparseIndex<TimeEntry> time_index_;
  bool sealed_ = false;
  std::optional<Error> damage_;
};

}  // namespace strom::log
