// LogConfig: the settings of one bucket's log. Values only, any thread. The defaults are those of the options
// named beside them, which the owner reads.
#pragma once

#include <chrono>
#include <cstdint>
#include <limits>

namespace strom::log {

struct LogConfig {
  uint64_t segment_bytes = 1 << 30;         // log.segment.file-size; at most 2 GiB - 1 is used
  uint64_t index_file_bytes = 10 << 20;     // log.index.file-size: a full index ends its segment
  uint64_t index_interval_bytes = 4 << 10;  // log.index.interval-size
  // log.flush.interval-messages: after so many records the log is synced in the background.
  int64_t flush_interval_messages = std::numeric_limits<int64_t>::max();
  // server.writer-id.expiration-time: a writer that was silent for longer is forgotten.
  std::chrono::milliseconds writer_expiration = std::chrono::hours(24 * 7);
};

}  // namespace strom::log
