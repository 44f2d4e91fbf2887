// Scanning a segment file whose end is not known, when a log is loaded. Blocks; runs on a worker.
// Upstream counterpart: server/log/LogSegment (recover, sanityCheck).
#pragma once

#include <optional>
#include <string>

#include "log/log_reader.h"
#include "log/segment.h"

namespace strom::log {

struct ScanEnd {
  BatchPosition end;                  // behind the last good batch
  std::optional<std::string> reason;  // why what follows is no batch; nothing at the end of the file
};

// Goes through the batches of `file` from `start` on and adds them to `segment`, which must end at `start`.
// Ends at the first that is not whole, not valid, or does not continue. `check_crc` false: looks at headers
// only.
Result<ScanEnd> scan_batches(const async::File& file, BatchPosition start, bool check_crc,
                             uint64_t index_interval, Segment& segment);

// Whole and strictly growing entries at the start of an index file; none when there is no such file.
template <class Entry>
Result<std::vector<Entry>> read_index(async::Disk& disk, const std::string& path) {
  std::vector<Entry> entries;
  if (!disk.exists(path)) return entries;
  Buffer bytes = STROM_TRY(disk.read_file(path));
  for (size_t at = 0; at + Entry::kSize <= bytes.size(); at += Entry::kSize) {
    Entry entry = Entry::decode(bytes.data() + at);
    if (!entries.empty() && entry.key() <= entries.back().key()) break;
    entries.push_back(entry);
  }
  return entries;
}

// The index of a segment that gets no more batches, if its file is there and its last entry fits: `end` is
// the relative end offset, `bytes` the size of the log file.
std::optional<SparseIndex<OffsetEntry>> open_offset_index(async::Disk& disk, const std::string& path,
                                                          int64_t end, uint64_t bytes);
std::optional<SparseIndex<TimeEntry>> open_time_index(async::Disk& disk, const std::string& path,
                                                      int64_t end);

}  // namespace strom::log
