#include "log/log_reader.h"

namespace strom::log {
namespace {

using format::LogBatchHeader;

template <class... Args>
Error damage(SegmentIo& io, const SegmentView& segment, uint64_t position, fmt::format_string<Args...> format,
             Args&&... args) {
  return io.damage(make_error(ErrorCode::kLogStorage, "{} is damaged at byte {}: {}", segment.paths->log,
                              position, fmt::format(format, std::forward<Args>(args)...)));
}

// The header at the start of `bytes`, which lie at `at` in the segment.
Result<LogBatchHeader> parse_header(SegmentIo& io, const SegmentView& segment, BatchPosition at,
                                    ByteView bytes) {
  auto header = LogBatchHeader::parse(bytes);
  if (!header.ok()) return damage(io, segment, at.position, "{}", header.error().message);
  if (header->base_offset != at.offset) {
    return damage(io, segment, at.position, "expected a batch at offset {}, found {}", at.offset,
                  header->base_offset);
  }
  if (header->size > segment.bytes - at.position) {
    return damage(io, segment, at.position, "a batch of {} bytes, but only {} follow", header->size,
                  segment.bytes - at.position);
  }
  return header;
}

size_t header_bytes(const SegmentView& segment, uint64_t position) {
  return static_cast<size_t>(std::min<uint64_t>(format::kMaxLogBatchHeaderSize, segment.bytes - position));
}

// Where the batch of an index entry starts; nothing when the entry does not fit the segment.
Result<std::optional<BatchPosition>> resolve(SegmentIo& io, const SegmentView& segment,
                                             const OffsetEntry& entry) {
  const std::optional<BatchPosition> none;
  if (entry.relative_offset < 0 || entry.position <= 0) return none;
  const auto position = static_cast<uint64_t>(entry.position);
  if (position >= segment.bytes) return none;
  uint8_t bytes[format::kMaxLogBatchHeaderSize];
  MutableBytes into(bytes, header_bytes(segment, position));
  STROM_TRY(io.read(segment.paths->log, position, into));
  auto header = LogBatchHeader::parse(into);
  if (!header.ok() || header->base_offset < segment.base || header->base_offset >= segment.end ||
      header->base_offset - segment.base > entry.relative_offset) {
    return none;
  }
  return std::optional(BatchPosition{header->base_offset, position});
}

// A batch at or before the one that contains `offset`, by the index if it can be used, else the first one.
Result<BatchPosition> near(SegmentIo& io, const SegmentView& segment, model::Offset offset) {
  const BatchPosition first{segment.base, 0};
  auto entry = find_floor(io, segment.paths->offset_index, segment.offset_entries, segment.recent_offsets,
                          offset - segment.base);
  if (io.missed()) return entry.error();
  io.forgive();  // a damaged index makes the search slower, no more
  if (!entry.ok() || !*entry) return first;
  auto found = STROM_TRY(resolve(io, segment, **entry));
  return found && found->offset <= offset ? *found : first;
}

// How many of the bytes at `start` are whole batches below the bound, and where the last of them ends.
struct Prefix {
  size_t bytes = 0;
  model::Offset next_offset;
};

Result<Prefix> whole_batches(SegmentIo& io, const SegmentView& segment, BatchPosition start, ByteView bytes,
                             const ReadRequest& request) {
  Prefix prefix{0, start.offset};
  while (bytes.size() - prefix.bytes >= format::kMinLogBatchHeaderSize) {
    const BatchPosition at{prefix.next_offset, start.position + prefix.bytes};
    ByteView rest = bytes.subspan(prefix.bytes);
    if (rest.size() < header_bytes(segment, at.position)) break;
    LogBatchHeader header = STROM_TRY(parse_header(io, segment, at, rest));
    if (header.size > rest.size() || header.next_offset() > request.upper_bound) break;
    if (request.check_crc) {
      Status crc = STROM_TRY(format::LogBatchView::parse(rest)).check_crc();
      if (!crc.ok()) return damage(io, segment, at.position, "{}", crc.error().message);
    }
    prefix.bytes += header.size;
    prefix.next_offset = header.next_offset();
  }
  return prefix;
}

// How many bytes to read at `start`, so that the first batch is among them if it must be.
Result<size_t> read_size(SegmentIo& io, const SegmentView& segment, BatchPosition start,
                         const ReadRequest& request) {
  const uint64_t available = segment.bytes - start.position;
  const auto wanted = static_cast<size_t>(std::min<uint64_t>(request.max_bytes, available));
  // Hardly ever: a limit as small as that says little about the size of batches.
  constexpr size_t kSurelyOneBatch = 64 << 10;
  if (!request.at_least_one_batch || wanted == available || wanted >= kSurelyOneBatch) return wanted;
  uint8_t bytes[format::kMaxLogBatchHeaderSize];
  MutableBytes into(bytes, header_bytes(segment, start.position));
  STROM_TRY(io.read(segment.paths->log, start.position, into));
  return std::max(wanted, STROM_TRY(parse_header(io, segment, start, into)).size);
}

}  // namespace

Result<bool> HeaderWalk::next() {
  if (next_.position >= segment_.bytes) {
    if (next_.offset == segment_.end) return false;
    return damage(io_, segment_, next_.position, "it ends at offset {}, expected {}", next_.offset,
                  segment_.end);
  }
  uint8_t bytes[format::kMaxLogBatchHeaderSize];
  MutableBytes into(bytes, header_bytes(segment_, next_.position));
  STROM_TRY(io_.read(segment_.paths->log, next_.position, into));
  header_ = STROM_TRY(parse_header(io_, segment_, next_, into));
  position_ = next_.position;
  next_ = {header_.next_offset(), position_ + header_.size};
  return true;
}

Result<BatchPosition> locate(SegmentIo& io, const SegmentView& segment, model::Offset offset) {
  HeaderWalk walk(io, segment, STROM_TRY(near(io, segment, offset)));
  while (STROM_TRY(walk.next())) {
    if (walk.header().next_offset() > offset)
      return BatchPosition{walk.header().base_offset, walk.position()};
  }
  return damage(io, segment, segment.bytes, "no batch contains offset {}", offset);
}

Result<SegmentRead> read_segment(SegmentIo& io, const SegmentView& segment, const ReadRequest& request,
                                 std::optional<BatchPosition> start) {
  if (!start) start = STROM_TRY(locate(io, segment, request.from));
  const SegmentRead nothing{{Slice(), request.from, request.from}, start->position};
  size_t size = STROM_TRY(read_size(io, segment, *start, request));
  while (size > 0) {
    SharedBuffer buffer(size);
    STROM_TRY(io.read(segment.paths->log, start->position, buffer.bytes()));
    Prefix prefix = STROM_TRY(whole_batches(io, segment, *start, buffer.bytes(), request));
    if (prefix.bytes > 0) {
      return SegmentRead{{Slice(buffer).sub(0, prefix.bytes), start->offset, prefix.next_offset},
                         start->position + prefix.bytes};
    }
    // Nothing whole: the first batch is larger than this, or reaches behind the bound.
    if (!request.at_least_one_batch || size < header_bytes(segment, start->position)) break;
    LogBatchHeader header = STROM_TRY(parse_header(io, segment, *start, buffer.bytes()));
    if (header.size <= size || header.next_offset() > request.upper_bound) break;
    size = header.size;
  }
  return nothing;
}

Result<std::optional<model::Offset>> find_timestamp(SegmentIo& io, const SegmentView& segment,
                                                    model::Timestamp timestamp) {
  auto entry =
      find_floor(io, segment.paths->time_index, segment.time_entries, segment.recent_times, timestamp.value);
  if (io.missed()) return entry.error();
  io.forgive();
  BatchPosition start{segment.base, 0};
  if (entry.ok() && *entry) {
    const model::Offset offset = segment.base + (*entry)->relative_offset;
    if (offset > segment.base && offset < segment.end) start = STROM_TRY(locate(io, segment, offset));
  }
  HeaderWalk walk(io, segment, start);
  while (STROM_TRY(walk.next())) {
    if (walk.header().commit_timestamp >= timestamp) return std::optional(walk.header().base_offset);
  }
  return std::optional<model::Offset>();
}

}  // namespace strom::log
