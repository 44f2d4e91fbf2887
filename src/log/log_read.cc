#include <algorithm>

#include "base/logging.h"
#include "log/log_internal.h"

namespace strom::log {

using model::Offset;
using Mode = SegmentIo::Mode;

namespace {

constexpr size_t kKnownPositions = 16;

// What a worker hands back to the shard.
template <class T>
struct ColdRead {
  Result<T> value;
  bool damaged = false;
};

ColdRead<SegmentRead> read_cold(FileCache& files, const SegmentView& view, const ReadRequest& request,
                                std::optional<BatchPosition> start) {
  SegmentIo io(files, Mode::kBlocking);
  auto value = read_segment(io, view, request, start);
  return {std::move(value), io.damaged()};
}

ColdRead<std::optional<Offset>> find_cold(FileCache& files, const SegmentView& view,
                                          model::Timestamp timestamp) {
  SegmentIo io(files, Mode::kBlocking);
  auto value = find_timestamp(io, view, timestamp);
  return {std::move(value), io.damaged()};
}

}  // namespace

std::optional<BatchPosition> Log::known_position(Offset offset) const {
  auto found = std::ranges::find(known_positions_, offset, &BatchPosition::offset);
  return found == known_positions_.end() ? std::nullopt : std::optional(*found);
}

void Log::remember_position(BatchPosition position) {
  if (known_position(position.offset)) return;
  known_positions_.push_back(position);
  if (known_positions_.size() > kKnownPositions) known_positions_.pop_front();
}

Segment* Log::segment_at(Offset base) {
  Segment* segment = segments_[index_of(base)].get();
  return segment->base() == base ? segment : nullptr;
}

async::Task<Result<ReadResult>> Log::read(ReadRequest request) {
  Operation operation(*this);
  FileCache& files = directory_.files();
  while (true) {
    while (exclusive_ && !closing_) co_await changed_.wait(async::Deadline{});
    if (closing_)
      co_return make_error(ErrorCode::kLogStorage, "the log of bucket {} is closed", spec_.bucket);
    if (request.from < start_offset() || request.from > end_) {
      co_return make_error(ErrorCode::kLogOffsetOutOfRange, "bucket {} has offsets {} to {}, not {}",
                           spec_.bucket, start_offset(), end_, request.from);
    }
    request.upper_bound = std::min(request.upper_bound, end_);
    if (request.from >= request.upper_bound) co_return ReadResult{Slice(), request.from, request.from};

    const size_t index = index_of(request.from);
    const Segment& segment = *segments_[index];
    if (segment.damage()) co_return *segment.damage();
    std::optional<BatchPosition> start = known_position(request.from);
    if (request.from == segment.base()) start = BatchPosition{segment.base(), 0};
    SegmentView view = segment.view(end_of(index), !start.has_value());
    const Offset base = view.base;
    const uint64_t generation = generation_;

    SegmentIo io(files, Mode::kCached);
    ColdRead<SegmentRead> found{read_segment(io, view, request, start), io.damaged()};
    if (io.missed()) {
      ++counters_.cold_reads;
      auto work = [&files, view = std::move(view), request, start] {
        return read_cold(files, view, request, start);
      };
      found = co_await async::run_on(directory_.runtime().pool(), loop_, std::move(work));
      // The files may have changed or gone meanwhile.
      if (generation != generation_ || request.from < start_offset()) continue;
    }
    if (!found.value.ok()) {
      if (found.damaged) note_damage(base, found.value.error());
      co_return found.value.error();
    }
    ReadResult result = std::move(found.value->result);
    ++counters_.reads;
    counters_.read_bytes += result.records.size();
    if (!result.records.empty()) remember_position({result.next_offset, found.value->end_position});
    co_return result;
  }
}

async::Task<Result<std::optional<Offset>>> Log::offset_for_timestamp(model::Timestamp timestamp) {
  Operation operation(*this);
  FileCache& files = directory_.files();
  while (true) {
    while (exclusive_ && !closing_) co_await changed_.wait(async::Deadline{});
    if (closing_)
      co_return make_error(ErrorCode::kLogStorage, "the log of bucket {} is closed", spec_.bucket);
    if (timestamp > max_timestamp_) co_return std::optional<Offset>();
    auto later =
        std::ranges::find_if(segments_, [&](const auto& s) { return s->max_timestamp() >= timestamp; });
    if (later == segments_.end()) co_return std::optional<Offset>();
    const Segment& segment = **later;
    if (segment.damage()) co_return *segment.damage();
    SegmentView view = segment.view(end_of(static_cast<size_t>(later - segments_.begin())), true);
    const Offset base = view.base;
    const uint64_t generation = generation_;
    auto work = [&files, view = std::move(view), timestamp] { return find_cold(files, view, timestamp); };
    auto found = co_await async::run_on(directory_.runtime().pool(), loop_, std::move(work));
    if (generation != generation_ || base < start_offset()) continue;
    if (!found.value.ok() && found.damaged) note_damage(base, found.value.error());
    co_return std::move(found.value);
  }
}

// From now on the segment is not served (INV-8). The rest of the log is.
void Log::note_damage(Offset segment_base, const Error& error) {
  log_error("log", "bucket {}: {}", spec_.bucket, error.message);
  if (Segment* segment = segment_at(segment_base)) segment->set_damage(error);
  if (!damage_) damage_ = error;
}

}  // namespace strom::log
