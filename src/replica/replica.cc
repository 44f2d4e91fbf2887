#include "replica/replica.h"

#include <algorithm>

#include "base/logging.h"

namespace strom::replica {

using async::Task;
using model::Offset;

Replica::Replica(async::EventLoop& loop, Config config, model::PhysicalTablePath path,
                 std::unique_ptr<log::Log> log, std::shared_ptr<const model::TableInfo> table,
                 std::shared_ptr<TableSchemas> schemas, Offset high_watermark)
    : loop_(loop),
      config_(config),
      path_(std::move(path)),
      log_(std::move(log)),
      table_(std::move(table)),
      schemas_(std::move(schemas)),
      high_watermark_(std::clamp(high_watermark, log_->start_offset(), log_->end_offset())),
      moved_(loop) {
  state_.leader_epoch = model::LeaderEpoch(-1);
  state_.bucket_epoch = model::BucketEpoch(-1);
}

Replica::~Replica() { STROM_CHECK(closed_, "the replica of bucket {} was not closed", log_->bucket()); }

Status Replica::lead_or_follow(const Leadership& leadership) {
  const model::LeaderAndIsr& next = leadership.state;
  if (next.leader_epoch < state_.leader_epoch) {
    return make_error(ErrorCode::kFencedLeaderEpoch,
                      "bucket {} is in leader epoch {}; the order is of epoch {}", bucket(),
                      state_.leader_epoch, next.leader_epoch);
  }
  if (next.bucket_epoch < state_.bucket_epoch) {
    return make_error(ErrorCode::kInvalidUpdateVersion,
                      "bucket {} is in bucket epoch {}; the order is of epoch {}", bucket(),
                      state_.bucket_epoch, next.bucket_epoch);
  }
  if (closed_) return make_error(ErrorCode::kStorage, "bucket {} is closed", bucket());
  const bool new_epoch = next.leader_epoch > state_.leader_epoch;
  state_ = next;
  leads_ = next.leader == config_.server;
  if (leads_ && new_epoch) {
    leader_start_ = log_->end_offset();
    log_info("replica", "leads bucket={} table={} epoch={} start={} end={}", bucket(), path_,
             state_.leader_epoch, log_->start_offset(), leader_start_);
  }
  if (leads_) advance_high_watermark();
  wake();
  return {};
}

Status Replica::check_leads() const {
  if (is_leader()) return {};
  return make_error(ErrorCode::kNotLeaderOrFollower,
                    "this server does not lead bucket {}; ask for its metadata again", bucket());
}

void Replica::advance_high_watermark() {
  // INV-2, INV-11: every member of the ISR must have a record before clients see it. Followers report what
  // they have by their fetches; as long as one is in the ISR that never fetched, nothing moves.
  const bool alone = state_.isr.size() == 1 && state_.isr.front() == config_.server;
  if (!alone || state_.isr.size() < config_.min_in_sync) return;
  const Offset end = log_->end_offset();
  if (end <= high_watermark_) return;
  high_watermark_ = end;
  wake();
}

void Replica::wake() {
  moved_.notify_all();
  for (async::WaitList* list : subscribers_) list->notify_all();
}

Task<Result<AppendAnswer>> Replica::append(Slice records, Acks acks, async::Instant deadline) {
  auto self = shared_from_this();
  STROM_CO_TRY(check_leads());
  if (acks == Acks::kAll && state_.isr.size() < config_.min_in_sync) {
    co_return make_error(ErrorCode::kNotEnoughReplicas,
                         "bucket {} has {} in-sync replicas, fewer than the {} that "
                         "log.replica.min-in-sync-replicas-number asks for",
                         bucket(), state_.isr.size(), config_.min_in_sync);
  }
  auto appended = co_await log_->append_as_leader(std::move(records));
  if (!appended.ok()) co_return std::move(appended).error();
  if (is_leader()) advance_high_watermark();
  if (acks == Acks::kAll) {
    Status replicated = co_await wait_for_replicas(appended->next_offset, deadline);
    if (!replicated.ok()) co_return replicated.error();
  }
  co_return AppendAnswer{appended->base_offset};
}

Task<Status> Replica::wait_for_replicas(Offset end, async::Instant deadline) {
  while (high_watermark_ < end) {
    STROM_CO_TRY(check_leads());
    if (co_await moved_.wait(async::Deadline{deadline}) == async::WaitResult::kTimeout) {
      co_return make_error(
          ErrorCode::kRequestTimeOut,
          "bucket {}: the batch is in the leader's log, but its replicas did not confirm it in time; the "
          "watermark is {}, the batch ends at {}",
          bucket(), high_watermark_, end);
    }
  }
  co_return Status();
}

Task<Status> Replica::expire_segments(model::Timestamp now, bool roll_active) {
  auto self = shared_from_this();
  const Millis keep = table_->options.log_local_ttl.value_or(table_->options.log_ttl);
  if (closed_ || keep.count() <= 0) co_return Status();
  const model::Timestamp oldest = now - keep.count();
  auto is_old = [oldest](const log::SegmentInfo& segment) {
    return segment.max_timestamp != model::kNoTimestamp && segment.max_timestamp < oldest;
  };
  const log::SegmentInfo active = log_->segments().back();
  if (roll_active && is_old(active) && active.end_offset <= high_watermark_)
    STROM_CO_TRY(co_await log_->roll());
  const size_t deleted = STROM_CO_TRY(co_await log_->delete_segments_before(high_watermark_, is_old));
  if (deleted > 0) {
    log_info("replica", "deleted old segments bucket={} table={} count={} start={}", bucket(), path_, deleted,
             log_->start_offset());
  }
  co_return Status();
}

Replica::Subscription::Subscription(std::shared_ptr<Replica> replica, async::WaitList& list)
    : replica_(std::move(replica)),
      place_(replica_->subscribers_.insert(replica_->subscribers_.end(), &list)) {}

Replica::Subscription::~Subscription() { replica_->subscribers_.erase(place_); }

Task<Status> Replica::close(bool remove_data) {
  auto self = shared_from_this();
  if (closed_) co_return Status();
  closed_ = true;
  wake();
  Status done = remove_data ? co_await log_->remove() : co_await log_->close();
  if (!done.ok()) {
    log_warn("replica", "did not close cleanly bucket={} table={} reason={}", bucket(), path_,
             done.error().message);
  }
  co_return done;
}

}  // namespace strom::replica
