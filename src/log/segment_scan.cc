#include "log/segment_scan.h"

namespace strom::log {
namespace {

using format::LogBatchHeader;

// Reads a file from front to back in large pieces.
class Window {
 public:
  Window(const async::File& file, uint64_t size) : file_(file), size_(size) {}

  // The `count` bytes at `offset`, which are in the file; fewer when the file ends before.
  Result<ByteView> bytes(uint64_t offset, size_t count, size_t read_ahead) {
    if (offset < start_ || offset + count > start_ + buffer_.size()) {
      buffer_.resize(static_cast<size_t>(std::min<uint64_t>(std::max(count, read_ahead), size_ - offset)));
      buffer_.resize(STROM_TRY(file_.read(offset, buffer_)));
      start_ = offset;
    }
    return ByteView(buffer_)
        .subspan(offset - start_)
        .first(std::min(count, buffer_.size() - (offset - start_)));
  }

 private:
  const async::File& file_;
  const uint64_t size_;
  uint64_t start_ = 0;
  Buffer buffer_;
};

// The last entry of an index file and how many there are; nothing when the file is missing or has a piece of
// one.
template <class Entry>
std::optional<SparseIndex<Entry>> open_index(async::Disk& disk, const std::string& path) {
  auto file = disk.open(path, async::OpenMode::kRead);
  if (!file.ok()) return std::nullopt;
  auto size = (*file)->size();
  if (!size.ok() || *size % Entry::kSize != 0) return std::nullopt;
  if (*size == 0) return SparseIndex<Entry>();
  uint8_t bytes[Entry::kSize];
  auto count = (*file)->read(*size - Entry::kSize, bytes);
  if (!count.ok() || *count != Entry::kSize) return std::nullopt;
  return SparseIndex<Entry>(*size / Entry::kSize, Entry::decode(bytes));
}

}  // namespace

Result<ScanEnd> scan_batches(const async::File& file, BatchPosition start, bool check_crc,
                             uint64_t index_interval, Segment& segment) {
  constexpr size_t kReadAhead = 1 << 20;
  const uint64_t size = STROM_TRY(file.size());
  Window window(file, size);
  ScanEnd scan{.end = start};
  auto ends = [&](std::string reason) {
    scan.reason = std::move(reason);
    return scan;
  };
  while (scan.end.position < size) {
    const uint64_t left = size - scan.end.position;
    const auto header_size = static_cast<size_t>(std::min<uint64_t>(format::kMaxLogBatchHeaderSize, left));
    ByteView bytes = STROM_TRY(window.bytes(scan.end.position, header_size, check_crc ? kReadAhead : 0));
    auto header = LogBatchHeader::parse(bytes);
    if (!header.ok()) return ends(header.error().message);
    if (header->size > left)
      return ends(fmt::format("a batch of {} bytes, but only {} follow", header->size, left));
    if (header->base_offset != scan.end.offset) {
      return ends(fmt::format("expected offset {}, found {}", scan.end.offset, header->base_offset));
    }
    if (check_crc) {
      bytes = STROM_TRY(window.bytes(scan.end.position, header->size, kReadAhead));
      auto batch = format::LogBatchView::parse(bytes);
      Status crc = batch.ok() ? batch->check_crc() : Status(batch.error());
      if (!crc.ok()) return ends(crc.error().message);
    }
    segment.add(*header, index_interval);
    scan.end = {header->next_offset(), scan.end.position + header->size};
  }
  return scan;
}

std::optional<SparseIndex<OffsetEntry>> open_offset_index(async::Disk& disk, const std::string& path,
                                                          int64_t end, uint64_t bytes) {
  auto index = open_index<OffsetEntry>(disk, path);
  if (!index || !index->last()) return index;
  const OffsetEntry& last = *index->last();
  bool fits = last.relative_offset >= 0 && last.relative_offset < end && last.position > 0 &&
              static_cast<uint64_t>(last.position) < bytes;
  return fits ? index : std::nullopt;
}

std::optional<SparseIndex<TimeEntry>> open_time_index(async::Disk& disk, const std::string& path,
                                                      int64_t end) {
  auto index = open_index<TimeEntry>(disk, path);
  if (!index || !index->last()) return index;
  const TimeEntry& last = *index->last();
  bool fits = last.relative_offset >= 0 && last.relative_offset < end && last.timestamp >= 0;
  return fits ? index : std::nullopt;
}

}  // namespace strom::log
