#include "log/segment_loader.h"

#include "base/logging.h"
#include "log/segment_scan.h"
#include "model/local_paths.h"

namespace strom::log {
namespace {

namespace paths = model::local_paths;
using model::Offset;

class SegmentLoader {
 public:
  SegmentLoader(async::Disk& disk, const LoadRequest& request) : disk_(disk), request_(request) {}

  Status run(const std::vector<Offset>& bases) {
    for (size_t i = 0; i < bases.size(); ++i) {
      const bool last = i + 1 == bases.size();
      if (!last && (request_.clean || bases[i + 1] <= request_.recovery_point)) {
        STROM_TRY(trust(bases[i], bases[i + 1]));
        continue;
      }
      ScanEnd scan = STROM_TRY(request_.clean ? find_end(bases[i]) : check(bases[i]));
      loaded_.end = scan.end.offset;
      if (!scan.reason && !last && loaded_.end != bases[i + 1]) {
        scan.reason =
            fmt::format("it ends at offset {}, the next one begins at {}", loaded_.end, bases[i + 1]);
      }
      if (!scan.reason && !last) {
        loaded_.segments.back().segment->finish_time_index();
        continue;
      }
      STROM_TRY(judge(scan, last));
      for (size_t later = bases.size(); later-- > i + 1;) drop(bases[later]);
      break;
    }
    return {};
  }

  LoadedSegments take() { return std::move(loaded_); }

 private:
  template <class... Args>
  Error damaged(fmt::format_string<Args...> format, Args&&... args) const {
    return make_error(
        ErrorCode::kLogStorage,
        "the log of bucket {} in {} is damaged: {}. Its files were left as they are; restore them, or "
        "remove the directory to lose this replica of the bucket",
        request_.name, request_.path, fmt::format(format, std::forward<Args>(args)...));
  }
  // A tear is what a crash leaves behind what was synced; anywhere else it is damage.
  Status judge(const ScanEnd& scan, bool last) const {
    const std::string file =
        paths::log_file(paths::LogFileKind::kLog, loaded_.segments.back().segment->base());
    if (scan.reason && request_.clean) {
      return damaged("{} at byte {}: {}, though it was closed in order", file, scan.end.position,
                     *scan.reason);
    }
    if (!request_.clean && scan.end.offset < request_.recovery_point) {
      return damaged("{} at byte {} (offset {}), before the recovery point {}: {}", file, scan.end.position,
                     scan.end.offset, request_.recovery_point, scan.reason.value_or("it ends there"));
    }
    if (!scan.reason) return {};
    if (request_.recovery_point_lost && !last) {
      return damaged("{} at byte {}: {}; what was synced is not known, as the recovery points are lost", file,
                     scan.end.position, *scan.reason);
    }
    log_warn("log", "cutting a torn tail bucket={} file={} at={} offset={}: {}", request_.name, file,
             scan.end.position, scan.end.offset, *scan.reason);
    return {};
  }

  LoadedSegment& add_piece(Offset base, uint64_t file_bytes) {
    loaded_.segments.push_back({std::make_unique<Segment>(request_.path, base), file_bytes});
    return loaded_.segments.back();
  }

  Result<std::unique_ptr<async::File>> open_log(Offset base) const {
    return disk_.open(segment_paths(request_.path, base)->log, async::OpenMode::kRead);
  }

  // A segment that was closed and synced. Only its indexes are looked at.
  Status trust(Offset base, Offset end) {
    auto file = STROM_TRY(open_log(base));
    LoadedSegment& piece = add_piece(base, STROM_TRY(file->size()));
    Segment& segment = *piece.segment;
    if (piece.file_bytes == 0) return damaged("{} is empty", segment.paths()->log);
    auto offsets = open_offset_index(disk_, segment.paths()->offset_index, end - base, piece.file_bytes);
    auto times = open_time_index(disk_, segment.paths()->time_index, end - base);
    // Each entry of the offset index came with one for the time, unless the time stood still; at the end
    // comes one more.
    const bool usable =
        offsets && times && times->count() > 0 && (offsets->count() > 0 || times->count() == 1);
    if (usable) {
      segment.restore(piece.file_bytes, *std::move(offsets), *std::move(times));
      return {};
    }
    log_warn("log", "rebuilding the indexes of {}", segment.paths()->log);
    ScanEnd scan = STROM_TRY(scan_from_start(*file, false));
    if (scan.reason || scan.end.offset != end) {
      return damaged("{} at byte {}: {}", piece.segment->paths()->log, scan.end.position,
                     scan.reason.value_or(fmt::format("it ends at {}, expected {}", scan.end.offset, end)));
    }
    piece.segment->finish_time_index();
    return {};
  }

  // The active segment after a clean stop: what follows its last index entry gives the end.
  Result<ScanEnd> find_end(Offset base) {
    auto file = STROM_TRY(open_log(base));
    LoadedSegment& piece = add_piece(base, STROM_TRY(file->size()));
    Segment& segment = *piece.segment;
    auto offsets = open_offset_index(disk_, segment.paths()->offset_index, INT32_MAX, piece.file_bytes);
    auto times = open_time_index(disk_, segment.paths()->time_index, INT32_MAX);
    if (offsets && times && offsets->last() && times->last()) {
      const OffsetEntry last = *offsets->last();
      auto start = batch_at(*file, static_cast<uint64_t>(last.position));
      if (start && start->offset > base && start->offset - base <= last.relative_offset) {
        segment.restore(start->position, *std::move(offsets), *std::move(times));
        ScanEnd scan =
            STROM_TRY(scan_batches(*file, *start, false, request_.config.index_interval_bytes, segment));
        if (!scan.reason) return scan;
      }
    }
    return scan_from_start(*file, false);
  }

  // A segment that may end in a tear: checks every batch from the recovery point on.
  Result<ScanEnd> check(Offset base) {
    auto file = STROM_TRY(open_log(base));
    LoadedSegment& piece = add_piece(base, STROM_TRY(file->size()));
    piece.scanned = true;
    if (base < request_.recovery_point) {
      if (auto scan = STROM_TRY(check_from_recovery_point(*file, piece))) return *scan;
    }
    return scan_from_start(*file, true);
  }

  // From the last index entry before the recovery point. Nothing when that entry is not to be trusted.
  Result<std::optional<ScanEnd>> check_from_recovery_point(const async::File& file, LoadedSegment& piece) {
    Segment& segment = *piece.segment;
    auto offsets = STROM_TRY(read_index<OffsetEntry>(disk_, segment.paths()->offset_index));
    auto times = STROM_TRY(read_index<TimeEntry>(disk_, segment.paths()->time_index));
    const int64_t before = request_.recovery_point - segment.base();
    std::erase_if(offsets, [&](const OffsetEntry& e) {
      return e.relative_offset >= before || e.position <= 0 ||
             static_cast<uint64_t>(e.position) >= piece.file_bytes;
    });
    if (offsets.empty()) return std::optional<ScanEnd>();
    const auto position = static_cast<uint64_t>(offsets.back().position);
    auto start = batch_at(file, position);
    if (!start || start->offset >= request_.recovery_point || start->offset <= segment.base()) {
      return std::optional<ScanEnd>();
    }
    std::erase_if(times,
                  [&](const TimeEntry& e) { return segment.base() + e.relative_offset > start->offset; });
    segment.restore(position, index_of(offsets), index_of(times));
    piece.write_index = true;
    ScanEnd scan = STROM_TRY(scan_batches(file, *start, true, request_.config.index_interval_bytes, segment));
    if (scan.end.offset < request_.recovery_point) return std::optional<ScanEnd>();
    return std::optional(scan);
  }

  template <class Entry>
  static SparseIndex<Entry> index_of(const std::vector<Entry>& entries) {
    return SparseIndex<Entry>(entries.size(), entries.empty() ? std::nullopt : std::optional(entries.back()));
  }

  std::optional<BatchPosition> batch_at(const async::File& file, uint64_t position) const {
    uint8_t bytes[format::kMaxLogBatchHeaderSize];
    auto count = file.read(position, bytes);
    if (!count.ok()) return std::nullopt;
    auto header = format::LogBatchHeader::parse(ByteView(bytes, *count));
    return header.ok() ? std::optional(BatchPosition{header->base_offset, position}) : std::nullopt;
  }

  Result<ScanEnd> scan_from_start(const async::File& file, bool check_crc) {
    LoadedSegment& piece = loaded_.segments.back();
    piece.write_index = true;
    piece.segment = std::make_unique<Segment>(request_.path, piece.segment->base());
    return scan_batches(file, {piece.segment->base(), 0}, check_crc, request_.config.index_interval_bytes,
                        *piece.segment);
  }

  void drop(Offset base) {
    log_warn("log", "dropping a segment behind a tear bucket={} file={}", request_.name,
             segment_paths(request_.path, base)->log);
    loaded_.dropped.push_back(base);
  }

  async::Disk& disk_;
  const LoadRequest& request_;
  LoadedSegments loaded_;
};

}  // namespace

Result<LoadedSegments> load_segments(async::Disk& disk, const LoadRequest& request,
                                     const std::vector<model::Offset>& bases) {
  SegmentLoader loader(disk, request);
  STROM_TRY(loader.run(bases));
  return loader.take();
}

}  // namespace strom::log
