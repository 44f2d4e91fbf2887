// OffsetCheckpoint: one offset per bucket, kept in memory and written to a small text file as a whole. A data
// directory has two: recovery points and high watermarks. Any thread; load() and write() block.
// Format: docs/formats/checkpoint.md. Upstream counterpart: server/log/checkpoint/OffsetCheckpointFile.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>

#include "async/disk.h"
#include "model/table_bucket.h"

namespace strom::log {

using OffsetMap = std::map<model::TableBucket, model::Offset>;

std::string render_checkpoint(const OffsetMap& offsets);
Result<OffsetMap> parse_checkpoint(std::string_view text);

class OffsetCheckpoint {
 public:
  OffsetCheckpoint(async::Disk& disk, std::string path) : disk_(disk), path_(std::move(path)) {}

  // Reads the file; without one there are no offsets. A damaged file is an error and leaves none.
  Status load();
  std::optional<model::Offset> get(const model::TableBucket& bucket) const;
  void set(const model::TableBucket& bucket, model::Offset offset);
  void erase(const model::TableBucket& bucket);
  // Replaces the file, durably, when something changed since it was written.
  Status write();
  // Makes sure that the file, too, says nothing of `bucket`.
  Status erase_durably(const model::TableBucket& bucket);

 private:
  async::Disk& disk_;
  const std::string path_;
  std::mutex writing_;
  mutable std::mutex mutex_;
  OffsetMap offsets_;
  std::set<model::TableBucket> erased_;  // perhaps still in the file
  uint64_t changes_ = 0;
  uint64_t written_changes_ = 0;
};

}  // namespace strom::log
