// The two sparse indexes of a segment: offset -> position, and timestamp -> offset. An index is its file plus
// the newest entries, which stay in memory until they are written. Entries are hints: whoever uses one checks
// what it points at, since a file may be older than its segment or damaged.
// SparseIndex lives on the bucket's shard; the functions on files run anywhere and may block.
// Format: docs/formats/index.md. Upstream counterparts: server/log/{OffsetIndex,TimeIndex}.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "log/append_writer.h"
#include "log/segment_io.h"

namespace strom::log {

// `relative_offset` is the last offset of a batch, or of several that begin at `position`, from the segment's
// base.
struct OffsetEntry {
  static constexpr size_t kSize = 8;
  int32_t relative_offset = 0;
  int32_t position = 0;

  int64_t key() const { return relative_offset; }
  void encode(uint8_t* to) const;
  static OffsetEntry decode(const uint8_t* from);
  friend bool operator==(const OffsetEntry&, const OffsetEntry&) = default;
};

// The first batch with the timestamp `timestamp` has the base offset `relative_offset` from the segment's
// base, and all before it are older.
struct TimeEntry {
  static constexpr size_t kSize = 12;
  int64_t timestamp = 0;
  int32_t relative_offset = 0;

  int64_t key() const { return timestamp; }
  void encode(uint8_t* to) const;
  static TimeEntry decode(const uint8_t* from);
  friend bool operator==(const TimeEntry&, const TimeEntry&) = default;
};

template <class Entry>
class SparseIndex {
 public:
  SparseIndex() = default;
  explicit SparseIndex(uint64_t in_file, std::optional<Entry> last) : in_file_(in_file), last_(last) {}

  uint64_t count() const { return in_file_ + recent_.size(); }
  uint64_t in_file() const { return in_file_; }
  const std::vector<Entry>& recent() const { return recent_; }
  const std::optional<Entry>& last() const { return last_; }

  // Keys grow strictly: an entry that does not is left out.
  void add(const Entry& entry) {
    if (last_ && entry.key() <= last_->key()) return;
    recent_.push_back(entry);
    last_ = entry;
  }
  size_t not_taken() const { return recent_.size() - taken_; }
  // The entries that nobody took yet, for the file. They stay in memory until written() says that they are
  // there.
  IndexWrite take() {
    IndexWrite write{.position = (in_file_ + taken_) * Entry::kSize};
    write.bytes.resize(not_taken() * Entry::kSize);
    for (size_t i = taken_; i < recent_.size(); ++i)
      recent_[i].encode(write.bytes.data() + (i - taken_) * Entry::kSize);
    taken_ = recent_.size();
    return write;
  }
  void written(size_t bytes) {
    const size_t entries = bytes / Entry::kSize;
    recent_.erase(recent_.begin(), recent_.begin() + static_cast<ptrdiff_t>(entries));
    in_file_ += entries;
    taken_ -= entries;
  }

 private:
  uint64_t in_file_ = 0;
  std::vector<Entry> recent_;
  size_t taken_ = 0;  // of recent_: on the way to the file
  std::optional<Entry> last_;
};

// Entries `first`, `first` + 1, ... of an index file.
template <class Entry>
Status read_entries(SegmentIo& io, const std::string& path, uint64_t first, std::vector<Entry>& into) {
  Buffer bytes(into.size() * Entry::kSize);
  STROM_TRY(io.read(path, first * Entry::kSize, bytes));
  for (size_t i = 0; i < into.size(); ++i) into[i] = Entry::decode(bytes.data() + i * Entry::kSize);
  return {};
}

// The greatest entry with a key of at most `key`: among `recent`, else among the first `count` of the file.
template <class Entry>
Result<std::optional<Entry>> find_floor(SegmentIo& io, const std::string& path, uint64_t count,
                                        const std::vector<Entry>& recent, int64_t key) {
  auto after = std::ranges::upper_bound(recent, key, {}, &Entry::key);
  if (after != recent.begin()) return std::optional<Entry>(*(after - 1));
  constexpr uint64_t kBlock = 512;  // so many are searched in memory
  uint64_t low = 0;
  uint64_t high = count;  // the answer is in [low, high), or before low when low is 0
  std::vector<Entry> entries(1);
  while (high - low > kBlock) {
    const uint64_t middle = low + (high - low) / 2;
    entries.resize(1);
    STROM_TRY(read_entries(io, path, middle, entries));
    (entries[0].key() <= key ? low : high) = middle;
  }
  entries.resize(high - low);
  if (!entries.empty()) STROM_TRY(read_entries(io, path, low, entries));
  auto end = std::ranges::upper_bound(entries, key, {}, &Entry::key);
  if (end == entries.begin()) return std::optional<Entry>();
  return std::optional<Entry>(*(end - 1));
}

}  // namespace strom::log
