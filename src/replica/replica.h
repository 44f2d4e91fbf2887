// Replica: one bucket on this server: its role and epochs, its log, the in-sync replicas and the high
// watermark.
//     log start        high watermark          log end
//        | - readable for clients - | - waits for replicas - |
// Lives on: the bucket's shard. Tasks that use a replica hold it by shared_ptr.
// Upstream counterpart: server/replica/Replica.
#pragma once

#include <list>
#include <memory>
#include <optional>
#include <vector>

#include "async/scope.h"
#include "log/log.h"
#include "model/assignment.h"
#include "model/table_info.h"
#include "replica/table_schemas.h"
#include "rpc/payload.h"

namespace strom::replica {

// How many replicas must have a batch before its writer hears of it. The numbers are those of the wire.
enum class Acks : int32_t { kAll = -1, kNone = 0, kLeader = 1 };

struct Leadership {
  model::PhysicalTablePath path;
  model::TableBucket bucket;
  std::vector<model::ServerId> replicas;
  model::LeaderAndIsr state;
};

struct AppendAnswer {
  model::Offset base_offset;
};

// One bucket's part of a fetch.
struct FetchSpec {
  model::Offset from;  // resolved: not "earliest"
  size_t max_bytes = 0;
  bool at_least_one_batch = false;
  std::vector<int32_t> projection;  // positions; only with `project`
  bool project = false;
};
struct FetchAnswer {
  model::Offset high_watermark;
  rpc::Payload records;
};

class Replica : public std::enable_shared_from_this<Replica> {
 public:
  struct Config {
    model::ServerId server;
    size_t min_in_sync = 1;  // log.replica.min-in-sync-replicas-number
  };
  // `high_watermark` is what the checkpoint says; it is bounded by the log's end.
  Replica(async::EventLoop& loop, Config config, model::PhysicalTablePath path, std::unique_ptr<log::Log> log,
          std::shared_ptr<const model::TableInfo> table, std::shared_ptr<TableSchemas> schemas,
          model::Offset high_watermark);
  ~Replica();

  const model::TableBucket& bucket() const { return log_->bucket(); }
  const model::PhysicalTablePath& path() const { return path_; }
  bool is_leader() const { return leads_ && !closed_; }
  model::LeaderEpoch leader_epoch() const { return state_.leader_epoch; }
  model::Offset high_watermark() const { return high_watermark_; }
  // The log's end when this server began to lead (ListOffsets type 3).
  model::Offset leader_start() const { return leader_start_; }
  const log::Log& log() const { return *log_; }
  log::Log& log() { return *log_; }
  const model::LeaderAndIsr& state() const { return state_; }
  const model::TableInfo& table() const { return *table_; }
  void set_table(std::shared_ptr<const model::TableInfo> table) { table_ = std::move(table); }

  // Takes a role. kFencedLeaderEpoch, kInvalidUpdateVersion: the order is older than what the replica knows.
  Status lead_or_follow(const Leadership& leadership);

  // Appends as leader and waits as `acks` says. Errors: kNotLeaderOrFollower, kNotEnoughReplicas, those of
  // the log, kRequestTimeOut (the batch is in the log, but not known to be on all replicas).
  async::Task<Result<AppendAnswer>> append(Slice records, Acks acks, async::Instant deadline);
  // Whole batches below the high watermark. Errors: kNotLeaderOrFollower, kLogOffsetOutOfRange,
  // kInvalidColumnProjection, kCorruptRecord.
  async::Task<Result<FetchAnswer>> fetch(FetchSpec spec);
  // Offset of the first batch that was committed at `timestamp` or later; the high watermark when there is
  // none. kInvalidTimestamp when `timestamp` is after `now`.
  async::Task<Result<model::Offset>> offset_at(model::Timestamp timestamp, model::Timestamp now);
  // Batches with the last `limit` records below the watermark; a few more may come before them.
  async::Task<Result<rpc::Payload>> last_records(int64_t limit);

  // See ReplicaSet::expire_segments.
  async::Task<Status> expire_segments(model::Timestamp now, bool roll_active);

  // A waiting fetch: `list` is notified when the high watermark moves or the replica stops leading.
  class Subscription {
   public:
    Subscription(std::shared_ptr<Replica> replica, async::WaitList& list);
    Subscription(const Subscription&) = delete;
    Subscription& operator=(const Subscription&) = delete;
    ~Subscription();

   private:
    std::shared_ptr<Replica> replica_;
    std::list<async::WaitList*>::iterator place_;
  };

  // Ends all waits with kNotLeaderOrFollower and closes or deletes the log.
  async::Task<Status> close(bool remove_data);

 private:
  Status check_leads() const;
  void advance_high_watermark();
  void wake();
  async::Task<Status> wait_for_replicas(model::Offset end, async::Instant deadline);
  async::Task<Result<rpc::Payload>> project(Slice records, const FetchSpec& spec);

  async::EventLoop& loop_;
  const Config config_;
  const model::PhysicalTablePath path_;
  std::unique_ptr<log::Log> log_;
  std::shared_ptr<const model::TableInfo> table_;
  std::shared_ptr<TableSchemas> schemas_;
  model::LeaderAndIsr state_;
  bool leads_ = false;
  bool closed_ = false;
  model::Offset leader_start_;
  model::Offset high_watermark_;
  async::WaitList moved_;                    // the high watermark or the role
  std::list<async::WaitList*> subscribers_;  // in the order in which they came
};

}  // namespace strom::replica
