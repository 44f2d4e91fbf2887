#include "log/log_loader.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/logging.h"
#include "log/log_reader.h"
#include "log/segment_scan.h"
#include "log/writer_snapshot.h"
#include "model/local_paths.h"

namespace strom::log {
namespace {

namespace paths = model::local_paths;
using async::join_path;
using model::Offset;

// A segment as found, and what has to be done to its files. First everything is looked at, then everything is
// changed: a log that can't be loaded is left as it is.
struct Piece {
  std::unique_ptr<Segment> segment;
  uint64_t file_bytes = 0;
  bool scanned = false;      // sync it
  bool write_index = false;  // the index files hold more, or less, than the segment's index
};

class Loader {
 public:
  Loader(FileCache& files, const LoadRequest& request)
      : files_(files), disk_(files.disk()), request_(request) {}

  Result<LoadedLog> run() {
    STROM_TRY(list());
    STROM_TRY(look_at_segments());
    STROM_TRY(look_at_writers());
    STROM_TRY(repair());
    LoadedLog log{.end = end_, .writers = std::move(writers_)};
    for (Piece& piece : pieces_) log.segments.push_back(std::move(piece.segment));
    return log;
  }

 private:
  template <class... Args>
  Error damaged(fmt::format_string<Args...> format, Args&&... args) const {
    return make_error(
        ErrorCode::kLogStorage,
        "the log of bucket {} in {} is damaged: {}. Its files were left as they are; restore them, or "
        "remove the directory to lose this replica of the bucket",
        request_.name, request_.path, fmt::format(format, std::forward<Args>(args)...));
  }
  std::string path_of(std::string_view name) const { return join_path(request_.path, name); }

  Status list() {
    std::vector<paths::LogFile> indexes;
    for (const async::DirectoryEntry& entry : STROM_TRY(disk_.list(request_.path))) {
      std::string_view name = entry.name;
      const bool temporary = name.ends_with(".tmp");
      if (temporary) name.remove_suffix(4);
      auto file = paths::parse_log_file(name);
      if (!file || entry.is_directory) continue;
      if (temporary || file->deleted) {
        doomed_.push_back(path_of(entry.name));
      } else if (file->kind == paths::LogFileKind::kLog) {
        bases_.push_back(file->offset);
      } else if (file->kind == paths::LogFileKind::kWriterSnapshot) {
        snapshots_.push_back(file->offset);
      } else {
        indexes.push_back(*file);
      }
    }
    std::ranges::sort(bases_);
    std::ranges::sort(snapshots_);
    for (const paths::LogFile& index : indexes) {
      if (std::ranges::binary_search(bases_, index.offset)) continue;
      doomed_.push_back(path_of(paths::log_file(index.kind, index.offset)));
    }
    return {};
  }

  Status look_at_segments() {
    for (size_t i = 0; i < bases_.size(); ++i) {
      const bool last = i + 1 == bases_.size();
      if (!last && (request_.clean || bases_[i + 1] <= request_.recovery_point)) {
        STROM_TRY(trust(bases_[i], bases_[i + 1]));
        continue;
      }
      ScanEnd scan = STROM_TRY(request_.clean ? find_end(bases_[i]) : check(bases_[i]));
      end_ = scan.end.offset;
      if (!scan.reason && !last && end_ != bases_[i + 1]) {
        scan.reason = fmt::format("it ends at offset {}, the next one begins at {}", end_, bases_[i + 1]);
      }
      if (!scan.reason && !last) {
        pieces_.back().segment->finish_time_index();
        continue;
      }
      STROM_TRY(judge(scan, last));
      drop_segments_from(i + 1);
      break;
    }
    return {};
  }

  // A tear is what a crash leaves behind what was synced; anywhere else it is damage.
  Status judge(const ScanEnd& scan, bool last) const {
    const std::string file = paths::log_file(paths::LogFileKind::kLog, pieces_.back().segment->base());
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

  Piece& add_piece(Offset base, uint64_t file_bytes) {
    pieces_.push_back({std::make_unique<Segment>(request_.path, base), file_bytes});
    return pieces_.back();
  }

  Result<std::unique_ptr<async::File>> open_log(Offset base) const {
    return disk_.open(segment_paths(request_.path, base)->log, async::OpenMode::kRead);
  }

  // A segment that was closed and synced. Only its indexes are looked at.
  Status trust(Offset base, Offset end) {
    auto file = STROM_TRY(open_log(base));
    Piece& piece = add_piece(base, STROM_TRY(file->size()));
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
    Piece& piece = add_piece(base, STROM_TRY(file->size()));
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
    Piece& piece = add_piece(base, STROM_TRY(file->size()));
    piece.scanned = true;
    if (base < request_.recovery_point) {
      if (auto scan = STROM_TRY(check_from_recovery_point(*file, piece))) return *scan;
    }
    return scan_from_start(*file, true);
  }

  // From the last index entry before the recovery point. Nothing when that entry is not to be trusted.
  Result<std::optional<ScanEnd>> check_from_recovery_point(const async::File& file, Piece& piece) {
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
    Piece& piece = pieces_.back();
    piece.write_index = true;
    piece.segment = std::make_unique<Segment>(request_.path, piece.segment->base());
    return scan_batches(file, {piece.segment->base(), 0}, check_crc, request_.config.index_interval_bytes,
                        *piece.segment);
  }

  void drop_segments_from(size_t first) {
    for (size_t i = bases_.size(); i > first; --i) {
      const auto names = segment_paths(request_.path, bases_[i - 1]);
      log_warn("log", "dropping a segment behind a tear bucket={} file={}", request_.name, names->log);
      doomed_.insert(doomed_.end(), {names->log, names->offset_index, names->time_index});
    }
    bases_.resize(first);
  }

  // The newest snapshot that can be used, and what was appended after it.
  Status look_at_writers() {
    const Offset start = pieces_.empty() ? Offset(0) : pieces_.front().segment->base();
    Offset from = start;
    bool found = false;
    for (size_t i = snapshots_.size(); i-- > 0;) {
      const Offset offset = snapshots_[i];
      const std::string path = path_of(paths::log_file(paths::LogFileKind::kWriterSnapshot, offset));
      if (offset <= end_ && !found) {
        auto content = disk_.read_file(path);
        auto parsed = content.ok() ? parse_writer_snapshot(as_text(*content), offset) : content.error();
        if (parsed.ok()) {
          writers_ = *std::move(parsed);
          from = std::max(start, offset);
          found = true;
          continue;
        }
        log_warn("log", "not using {}: {}", path, parsed.error().message);
        doomed_.push_back(path);
      } else if (offset > end_ || offset < start || !std::ranges::binary_search(bases_, offset)) {
        doomed_.push_back(path);
      }
    }
    STROM_TRY(replay_from(from));
    writers_.expire(request_.now - request_.config.writer_expiration.count());
    return {};
  }

  Status replay_from(Offset from) {
    SegmentIo io(files_, SegmentIo::Mode::kBlocking);
    for (size_t i = 0; i < pieces_.size(); ++i) {
      const Offset end = i + 1 < pieces_.size() ? pieces_[i + 1].segment->base() : end_;
      if (end <= from) continue;
      SegmentView view = pieces_[i].segment->view(end, true);
      view.bytes = pieces_[i].segment->assigned_bytes();
      BatchPosition start{view.base, 0};
      if (from > view.base) start = STROM_TRY(locate(io, view, from));
      HeaderWalk walk(io, view, start);
      while (STROM_TRY(walk.next())) {
        if (walk.header().base_offset >= from) writers_.replay(walk.header());
      }
    }
    return {};
  }

  Status repair() {
    for (const std::string& path : doomed_) {
      files_.forget(path);
      STROM_TRY(disk_.remove(path));
    }
    if (!doomed_.empty()) STROM_TRY(disk_.sync_directory(request_.path));
    if (pieces_.empty()) {
      Piece& piece = add_piece(Offset(0), 0);
      return create_segment(files_, *piece.segment->paths());
    }
    for (Piece& piece : pieces_) STROM_TRY(repair(piece));
    return {};
  }

  Status repair(Piece& piece) {
    Segment& segment = *piece.segment;
    segment.written(segment.assigned_bytes() - segment.bytes());
    if (piece.scanned) {
      auto file = STROM_TRY(files_.open(segment.paths()->log));
      if (segment.bytes() < piece.file_bytes) STROM_TRY(file->truncate(segment.bytes()));
      STROM_TRY(file->sync());
    }
    const bool grown = segment.offset_index().not_taken() + segment.time_index().not_taken() > 0;
    if (!piece.write_index && !grown) return {};
    STROM_TRY(write_index(segment.paths()->offset_index, segment.offset_index()));
    STROM_TRY(write_index(segment.paths()->time_index, segment.time_index()));
    return {};
  }

  template <class Entry>
  Status write_index(const std::string& path, SparseIndex<Entry>& index) {
    files_.forget(path);
    auto file = STROM_TRY(disk_.open(path, async::OpenMode::kCreate));
    STROM_TRY(file->truncate(index.in_file() * Entry::kSize));
    IndexWrite write = index.take();
    STROM_TRY(file->write(write.position, write.bytes));
    STROM_TRY(file->sync());
    index.written(write.bytes.size());
    return {};
  }

  FileCache& files_;
  async::Disk& disk_;
  const LoadRequest& request_;
  std::vector<Offset> bases_;
  std::vector<Offset> snapshots_;
  std::vector<std::string> doomed_;
  std::vector<Piece> pieces_;
  Offset end_{0};
  WriterState writers_;
};

}  // namespace

Result<LoadedLog> load_log(FileCache& files, const LoadRequest& request) {
  return Loader(files, request).run();
}

Status create_segment(FileCache& files, const SegmentPaths& paths) {
  for (const std::string& path : {paths.log, paths.offset_index, paths.time_index})
    STROM_TRY(files.create(path));
  return files.disk().sync_directory(async::parent_path(paths.log));
}

}  // namespace strom::log
