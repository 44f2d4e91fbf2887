// Loading the segments of a log: which of them are trusted, where the log ends, and what has to be repaired.
// Only looks; log_loader.h changes the files after everything was looked at. Blocks; runs on a worker.
// Upstream counterparts: server/log/{LogLoader,LogSegment}.
#pragma once

#include <memory>
#include <vector>

#include "log/log_loader.h"
#include "log/segment.h"

namespace strom::log {

// A segment as found, and what has to be done to its files.
struct LoadedSegment {
  std::unique_ptr<Segment> segment;
  uint64_t file_bytes = 0;
  bool scanned = false;      // sync it
  bool write_index = false;  // the index files hold more, or less, than the segment's index
};

struct LoadedSegments {
  std::vector<LoadedSegment> segments;
  model::Offset end{0};
  std::vector<model::Offset> dropped;  // segments behind a tear, the newest first
};

// `bases`, sorted, are those of the segments that are there.
Result<LoadedSegments> load_segments(async::Disk& disk, const LoadRequest& request,
                                     const std::vector<model::Offset>& bases);

}  // namespace strom::log
