// Loading a log from its directory: finds the segments, checks and repairs what an unclean stop may have
// left, and rebuilds indexes and writer state. Blocks: runs on a worker, on a directory that nobody else is
// using.
//   closed segments before the recovery point   their index files are checked, the data is not read
//   from the recovery point on                  every batch is checked; the first bad one ends the log
// Upstream counterpart: server/log/LogLoader.
#pragma once

#include <deque>
#include <memory>
#include <string>

#include "log/config.h"
#include "log/segment.h"
#include "log/writer_state.h"

namespace strom::log {

struct LoadRequest {
  std::string path;
  std::string name;  // of the bucket, for messages
  LogConfig config;
  bool clean = false;            // everything on disk is whole
  model::Offset recovery_point;  // what lies before it was synced
  // The recovery point is not known: only the last segment may end in a tear.
  bool recovery_point_lost = false;
  model::Timestamp now;  // writers are expired by it
};

struct LoadedLog {
  std::deque<std::unique_ptr<Segment>> segments;  // at least one
  model::Offset end;
  WriterState writers;
};

// kLogStorage when data before the recovery point is damaged or missing; then nothing was changed. After
// success all of the log is on stable storage.
Result<LoadedLog> load_log(FileCache& files, const LoadRequest& request);

// Makes the files of an empty segment, durably.
Status create_segment(FileCache& files, const SegmentPaths& paths);

}  // namespace strom::log
