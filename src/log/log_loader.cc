#include "log/log_loader.h"

#include <algorithm>

#include "base/logging.h"
#include "log/log_reader.h"
#include "log/segment_loader.h"
#include "log/writer_snapshot.h"
#include "model/local_paths.h"

namespace strom::log {
namespace {

namespace paths = model::local_paths;
using async::join_path;
using model::Offset;

class Loader {
 public:
  Loader(FileCache& files, const LoadRequest& request)
      : files_(files), disk_(files.disk()), request_(request) {}

  Result<LoadedLog> run() {
    STROM_TRY(list());
    loaded_ = STROM_TRY(load_segments(disk_, request_, bases_));
    for (Offset base : loaded_.dropped) {
      const auto names = segment_paths(request_.path, base);
      doomed_.insert(doomed_.end(), {names->log, names->offset_index, names->time_index});
      std::erase(bases_, base);
    }
    STROM_TRY(look_at_writers());
    STROM_TRY(repair());
    LoadedLog log{.end = loaded_.end, .writers = std::move(writers_)};
    for (LoadedSegment& piece : loaded_.segments) log.segments.push_back(std::move(piece.segment));
    return log;
  }

 private:
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

  // The newest snapshot that can be used, and what was appended after it.
  Status look_at_writers() {
    const Offset start = loaded_.segments.empty() ? Offset(0) : loaded_.segments.front().segment->base();
    Offset from = start;
    bool found = false;
    for (size_t i = snapshots_.size(); i-- > 0;) {
      const Offset offset = snapshots_[i];
      const std::string path = path_of(paths::log_file(paths::LogFileKind::kWriterSnapshot, offset));
      if (offset <= loaded_.end && !found) {
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
      } else if (offset > loaded_.end || offset < start || !std::ranges::binary_search(bases_, offset)) {
        doomed_.push_back(path);
      }
    }
    STROM_TRY(replay_from(from));
    writers_.expire(request_.now - request_.config.writer_expiration.count());
    return {};
  }

  Status replay_from(Offset from) {
    SegmentIo io(files_, SegmentIo::Mode::kBlocking);
    for (size_t i = 0; i < loaded_.segments.size(); ++i) {
      const Offset end =
          i + 1 < loaded_.segments.size() ? loaded_.segments[i + 1].segment->base() : loaded_.end;
      if (end <= from) continue;
      SegmentView view = loaded_.segments[i].segment->view(end, true);
      view.bytes = loaded_.segments[i].segment->assigned_bytes();
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
    if (loaded_.segments.empty()) {
      loaded_.segments.push_back({std::make_unique<Segment>(request_.path, Offset(0))});
      return create_segment(files_, *loaded_.segments.back().segment->paths());
    }
    for (LoadedSegment& piece : loaded_.segments) STROM_TRY(repair(piece));
    return {};
  }

  Status repair(LoadedSegment& piece) {
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
  LoadedSegments loaded_;
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
