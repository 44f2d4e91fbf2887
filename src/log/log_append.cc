#include <algorithm>

#include "log/log_internal.h"

namespace strom::log {

using format::LogBatchHeader;
using model::Offset;

namespace {

Error corrupt(std::string_view what) {
  return make_error(ErrorCode::kCorruptRecord, "corrupt records: {}", what);
}

}  // namespace

async::Task<Result<AppendResult>> Log::append_as_leader(Slice records, AppendOptions options) {
  return append(std::move(records), AppendOrigin::kLeader, options.check_crc);
}

async::Task<Result<AppendResult>> Log::append_as_follower(Slice records) {
  return append(std::move(records), AppendOrigin::kFollower, true);
}

async::Task<Result<AppendResult>> Log::append(Slice records, AppendOrigin origin, bool check_crc) {
  Operation operation(*this);
  while (exclusive_ && !closing_) co_await changed_.wait(async::Deadline{});
  STROM_CO_TRY(usable());
  AppendPlan plan = STROM_CO_TRY(plan_append(records.view(), origin, check_crc));
  if (plan.duplicate) co_return co_await wait_for_original(*plan.duplicate);
  if (origin == AppendOrigin::kLeader) {
    size_t position = 0;
    for (const LogBatchHeader& batch : plan.batches) {
      format::stamp(records.writable().subspan(position), batch.base_offset, batch.commit_timestamp);
      position += batch.size;
    }
  }
  STROM_CO_TRY(co_await WriterCall(*this, begin_append(records, plan), &plan));
  co_return AppendResult{plan.base, plan.next, plan.timestamp, false};
}

Result<Log::AppendPlan> Log::plan_append(ByteView records, AppendOrigin origin, bool check_crc) {
  AppendPlan plan(writers_, origin);
  plan.base = plan.next = next_;
  plan.timestamp = std::max(next_min_timestamp_, model::Timestamp(clock_.wall_ms()));
  plan.bytes = records.size();
  format::LogBatchIterator batches(records, format::PartialTail::kError);
  while (true) {
    auto more = batches.next();
    if (!more.ok()) return corrupt(more.error().message);
    if (!*more) break;
    if (check_crc) STROM_TRY(batches.batch().check_crc());
    LogBatchHeader batch = batches.batch().header();
    if (origin == AppendOrigin::kLeader) {
      batch.base_offset = plan.next;
      batch.commit_timestamp = plan.timestamp;
    } else if (batch.base_offset != plan.next) {
      return make_error(ErrorCode::kLogOffsetOutOfRange,
                        "the log of bucket {} ends at {}, can't append a batch at {}", spec_.bucket,
                        plan.next, batch.base_offset);
    }
    if (batch.has_writer() && !plan.duplicate) {
      plan.duplicate =
          STROM_TRY(plan.update.add(batch.writer, {batch.sequence, batch.last_offset(),
                                                   batch.last_offset_delta, batch.commit_timestamp}));
    }
    plan.next = batch.next_offset();
    plan.records += batch.record_count;
    plan.batches.push_back(batch);
  }
  if (plan.batches.empty()) return corrupt("no batch");
  if (plan.bytes > kMaxSegmentBytes) return corrupt("more bytes than a segment can hold");
  if (origin == AppendOrigin::kFollower) {
    plan.timestamp = std::ranges::max(plan.batches, {}, &LogBatchHeader::commit_timestamp).commit_timestamp;
  }
  return plan;
}

WriterTask Log::begin_append(const Slice& records, AppendPlan& plan) {
  plan.update.commit();
  if (!active().has_room(plan.bytes, plan.next - 1, spec_.config)) start_segment();
  plan.segment = &active();
  SegmentAppend append{
      .segment = active().paths(), .position = active().assigned_bytes(), .records = records};
  for (const LogBatchHeader& batch : plan.batches) active().add(batch, spec_.config.index_interval_bytes);
  if (active().offset_index().not_taken() >= kIndexEntriesPerWrite)
    append.offset_index = active().offset_index().take();
  if (active().time_index().not_taken() >= kIndexEntriesPerWrite)
    append.time_index = active().time_index().take();
  plan.offset_index_bytes = append.offset_index.bytes.size();
  plan.time_index_bytes = append.time_index.bytes.size();
  next_ = plan.next;
  next_min_timestamp_ = std::max(next_min_timestamp_, plan.timestamp);
  unchanged_ = false;
  return {.work = std::move(append)};
}

void Log::written(const AppendPlan& plan) {
  plan.segment->written(plan.bytes);
  plan.segment->offset_index().written(plan.offset_index_bytes);
  plan.segment->time_index().written(plan.time_index_bytes);
  end_ = plan.next;
  max_timestamp_ = std::max(max_timestamp_, plan.timestamp);
  if (directory_.sync_before_ack()) durable_ = end_;
  ++counters_.appends;
  counters_.appended_bytes += plan.bytes;
  counters_.appended_records += static_cast<uint64_t>(plan.records);
  bytes_since_snapshot_ += plan.bytes;
  records_since_flush_ += plan.records;
  if (records_since_flush_ >= spec_.config.flush_interval_messages) flush_soon();
  appended_.notify_all();
}

// The original may be in flight: until it is written, nobody can say that the batch is there (INV-5).
async::Task<Result<AppendResult>> Log::wait_for_original(WrittenBatch original) {
  ++counters_.duplicates;
  while (original.last_offset >= end_ && !error_) co_await appended_.wait(async::Deadline{});
  if (original.last_offset >= end_) co_return *error_;
  co_return AppendResult{original.base_offset(), original.last_offset.next(), original.timestamp, true};
}

// Ends the active segment and begins one at the next offset. The files follow, in order, on the writer.
void Log::start_segment() {
  Segment& old = active();
  old.finish_time_index();
  due_snapshots_.push_back(make_writer_snapshot(writers_, next_));
  bytes_since_snapshot_ = 0;
  segments_.push_back(std::make_unique<Segment>(spec_.path, next_));

  IndexWrite offsets = old.offset_index().take();
  IndexWrite times = old.time_index().take();
  const size_t offset_bytes = offsets.bytes.size();
  const size_t time_bytes = times.bytes.size();
  WriterTask task{.log = this, .loop = &loop_};
  task.work = WriterJob([&files = directory_.files(), offsets = std::move(offsets), times = std::move(times),
                         before = old.paths(), after = active().paths()]() -> Status {
    STROM_TRY(write_index(files, before->offset_index, offsets));
    STROM_TRY(write_index(files, before->time_index, times));
    return create_segment(files, *after);
  });
  task.done = [this, &old, offset_bytes, time_bytes](const Status& status) {
    --tasks_;
    --rolls_;
    changed_.notify_all();
    if (!status.ok()) return fail(status.error());
    old.offset_index().written(offset_bytes);
    old.time_index().written(time_bytes);
    flush_soon();
  };
  ++tasks_;
  ++rolls_;
  unchanged_ = false;
  directory_.writer().submit(std::move(task));
}

void Log::flush_soon() {
  if (std::exchange(flush_scheduled_, true)) return;
  if (!scope_.spawn(flush_in_background())) flush_scheduled_ = false;
}

}  // namespace strom::log
