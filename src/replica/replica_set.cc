#include "replica/replica_set.h"

#include <algorithm>

#include "async/join.h"
#include "base/contains.h"
#include "base/logging.h"

namespace strom::replica {

using async::Task;
using model::TableBucket;

namespace {

// Opening and deleting logs waits for the disk: many at a time, but not all of ten thousand.
constexpr size_t kAtOnce = 64;

// The errors of the orders that failed; `carry_out` makes the task of one.
template <class Order, class F>
Task<BucketErrors> carry_out_all(async::EventLoop& loop, std::vector<Order> orders, F carry_out) {
  BucketErrors errors;
  for (size_t begin = 0; begin < orders.size(); begin += kAtOnce) {
    const size_t end = std::min(orders.size(), begin + kAtOnce);
    std::vector<Task<Status>> tasks;
    std::vector<TableBucket> buckets;
    for (size_t i = begin; i < end; ++i) {
      buckets.push_back(orders[i].bucket);
      tasks.push_back(carry_out(std::move(orders[i])));
    }
    auto results = co_await async::when_all(loop, std::move(tasks));
    for (size_t i = 0; i < results.size(); ++i) {
      if (!results[i].ok()) errors.emplace_back(buckets[i], results[i].error());
    }
  }
  co_return errors;
}

}  // namespace

ReplicaSet::ReplicaSet(async::EventLoop& loop, log::LogDirectory& directory, TableSource& tables,
                       std::function<bool(const TableBucket&)> knows, Config config)
    : loop_(loop),
      directory_(directory),
      tables_(tables),
      knows_(std::move(knows)),
      config_(std::move(config)),
      idle_(loop) {}

Task<void> ReplicaSet::begin(TableBucket bucket) {
  while (busy_.contains(bucket)) co_await idle_.wait(async::Deadline{});
  busy_.insert(bucket);
}

void ReplicaSet::end(const TableBucket& bucket) {
  busy_.erase(bucket);
  idle_.notify_all();
}

Error ReplicaSet::stopping() const {
  return make_error(ErrorCode::kStorage, "server {} is stopping; its buckets are closed", config_.server);
}

Task<BucketErrors> ReplicaSet::lead_or_follow(std::vector<Leadership> orders) {
  return carry_out_all(loop_, std::move(orders),
                       [this](Leadership order) { return lead_or_follow_one(std::move(order)); });
}

Task<Status> ReplicaSet::lead_or_follow_one(Leadership order) {
  const TableBucket bucket = order.bucket;
  co_await begin(bucket);
  Status done;
  if (closed_) {
    done = stopping();
  } else {
    done = co_await carry_out(std::move(order));
  }
  end(bucket);
  co_return done;
}

Task<Status> ReplicaSet::carry_out(Leadership order) {
  if (!contains(order.replicas, config_.server)) {
    co_return make_error(ErrorCode::kUnknownTableOrBucket, "server {} has no replica of bucket {}",
                         config_.server, order.bucket);
  }
  auto found = replicas_.find(order.bucket);
  if (found != replicas_.end()) co_return found->second->lead_or_follow(order);
  auto opened = co_await open(order);
  if (!opened.ok()) {
    log_error("replica", "bucket is offline bucket={} table={} reason={}", order.bucket, order.path,
              opened.error().message);
    offline_[order.bucket] = make_error(ErrorCode::kStorage, "bucket {} is offline on server {}: {}",
                                        order.bucket, config_.server, opened.error().message);
    co_return std::move(opened).error();
  }
  co_return (*opened)->lead_or_follow(order);
}

Task<Result<std::shared_ptr<Replica>>> ReplicaSet::open(const Leadership& order) {
  auto table = STROM_CO_TRY(co_await tables_.table(order.path.path, order.bucket.table));
  auto log = STROM_CO_TRY(co_await log::Log::open(
      directory_, loop_, {order.bucket, directory_.bucket_path(order.path, order.bucket), config_.log}));
  const model::Offset watermark = directory_.high_watermarks().get(order.bucket).value_or(model::Offset(0));
  auto schemas = schemas_of(*table);
  auto replica =
      std::make_shared<Replica>(loop_, Replica::Config{config_.server, config_.min_in_sync}, order.path,
                                std::move(log), std::move(table), std::move(schemas), watermark);
  offline_.erase(order.bucket);
  replicas_[order.bucket] = replica;
  co_return replica;
}

std::shared_ptr<TableSchemas> ReplicaSet::schemas_of(const model::TableInfo& table) {
  std::erase_if(schemas_, [](const auto& entry) { return entry.second.expired(); });
  auto& known = schemas_[table.table_id];
  auto schemas = known.lock();
  if (schemas == nullptr) {
    schemas = std::make_shared<TableSchemas>(tables_, table.path);
    known = schemas;
  }
  return schemas;
}

Task<BucketErrors> ReplicaSet::stop_replicas(std::vector<ReplicaStop> stops) {
  return carry_out_all(loop_, std::move(stops),
                       [this](ReplicaStop stop) { return stop_one(std::move(stop)); });
}

Task<Status> ReplicaSet::stop_one(ReplicaStop stop) {
  const TableBucket bucket = stop.bucket;
  co_await begin(bucket);
  Status done;
  if (closed_) {
    done = stopping();
  } else {
    done = co_await carry_out(std::move(stop));
  }
  end(bucket);
  co_return done;
}

Task<Status> ReplicaSet::carry_out(ReplicaStop stop) {
  auto found = replicas_.find(stop.bucket);
  if (found == replicas_.end()) {
    offline_.erase(stop.bucket);
    if (stop.delete_data) co_return co_await remove_left_over(stop.bucket);
    co_return Status();
  }
  auto replica = found->second;
  if (stop.leader_epoch < replica->leader_epoch()) {
    co_return make_error(ErrorCode::kFencedLeaderEpoch,
                         "bucket {} is in leader epoch {}; the order is of epoch {}", stop.bucket,
                         replica->leader_epoch(), stop.leader_epoch);
  }
  replicas_.erase(found);
  if (stop.delete_data) directory_.high_watermarks().erase(stop.bucket);
  log_info("replica", "stops bucket={} table={} delete={}", stop.bucket, replica->path(), stop.delete_data);
  const std::string path = replica->log().path();
  Status closed = co_await replica->close(stop.delete_data);
  if (stop.delete_data && !closed.ok()) left_over_[stop.bucket] = path;
  co_return closed;
}

Task<Status> ReplicaSet::remove_left_over(TableBucket bucket) {
  auto failed = left_over_.find(bucket);
  if (failed != left_over_.end()) {
    STROM_CO_TRY(co_await directory_.remove_bucket(loop_, bucket, failed->second));
    left_over_.erase(bucket);
    co_return Status();
  }
  for (const log::FoundBucket& found : directory_.found_buckets()) {
    if (found.bucket != bucket) continue;
    directory_.high_watermarks().erase(bucket);
    co_return co_await directory_.remove_bucket(loop_, bucket, found.path);
  }
  co_return Status();
}

void ReplicaSet::update_table(std::shared_ptr<const model::TableInfo> table) {
  for (auto& [bucket, replica] : replicas_) {
    if (bucket.table == table->table_id) replica->set_table(table);
  }
}

Result<std::shared_ptr<Replica>> ReplicaSet::find(const TableBucket& bucket) const {
  auto found = replicas_.find(bucket);
  if (found != replicas_.end()) return found->second;
  auto offline = offline_.find(bucket);
  if (offline != offline_.end()) return offline->second;
  if (knows_(bucket)) {
    return make_error(ErrorCode::kNotLeaderOrFollower,
                      "server {} has no replica of bucket {}; ask for its metadata again", config_.server,
                      bucket);
  }
  return make_error(ErrorCode::kUnknownTableOrBucket, "there is no bucket {}; perhaps its table was dropped",
                    bucket);
}

ReplicaCounts ReplicaSet::counts() const {
  ReplicaCounts counts{.online = replicas_.size(), .offline = offline_.size()};
  for (const auto& [bucket, replica] : replicas_) {
    counts.leaders += replica->is_leader();
    counts.writers += replica->log().writer_count();
    counts.log_bytes += replica->log().size_bytes();
  }
  return counts;
}

void ReplicaSet::checkpoint_high_watermarks() {
  for (const auto& [bucket, replica] : replicas_)
    directory_.high_watermarks().set(bucket, replica->high_watermark());
}

Task<void> ReplicaSet::flush() {
  std::vector<std::shared_ptr<Replica>> all;
  for (const auto& [bucket, replica] : replicas_) all.push_back(replica);
  for (const auto& replica : all) {
    if (replica->log().durable_offset() == replica->log().end_offset()) continue;
    Status flushed = co_await replica->log().flush();
    if (!flushed.ok()) {
      log_warn("replica", "flush failed bucket={} reason={}", replica->bucket(), flushed.error().message);
    }
  }
}

void ReplicaSet::expire_writers(model::Timestamp now) {
  for (const auto& [bucket, replica] : replicas_) replica->log().expire_writers(now);
}

Task<void> ReplicaSet::expire_segments(model::Timestamp now, bool roll_active) {
  std::vector<std::shared_ptr<Replica>> all;
  for (const auto& [bucket, replica] : replicas_) all.push_back(replica);
  for (const auto& replica : all) {
    Status done = co_await replica->expire_segments(now, roll_active);
    if (!done.ok()) {
      log_warn("replica", "old segments stay bucket={} table={} reason={}", replica->bucket(),
               replica->path(), done.error().message);
    }
  }
}

Task<void> ReplicaSet::close() {
  closed_ = true;
  while (!busy_.empty()) co_await idle_.wait(async::Deadline{});
  checkpoint_high_watermarks();
  auto all = std::move(replicas_);
  replicas_.clear();
  for (auto& [bucket, replica] : all) {
    Status closed = co_await replica->close(false);  // logged there; recovery mends it at the next start
    (void)closed;
  }
}

}  // namespace strom::replica
