// ReplicaSet: the replicas of one shard. Orders of the coordinator arrive here, and every request for a
// bucket finds its replica here. Lives on: one shard. Upstream counterpart: server/replica/ReplicaManager.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <unordered_map>
#include <vector>

#include "log/log_directory.h"
#include "replica/replica.h"

namespace strom::replica {

struct ReplicaStop {
  model::TableBucket bucket;
  bool delete_data = false;
  model::LeaderEpoch leader_epoch;
};

// A bucket and what went wrong with it.
using BucketErrors = std::vector<std::pair<model::TableBucket, Error>>;

// Replicas by role, for the operator.
struct ReplicaCounts {
  size_t online = 0;
  size_t leaders = 0;
  size_t offline = 0;
  size_t writers = 0;
  uint64_t log_bytes = 0;
  friend bool operator==(const ReplicaCounts&, const ReplicaCounts&) = default;
};

class ReplicaSet {
 public:
  struct Config {
    model::ServerId server;
    size_t min_in_sync = 1;
    log::LogConfig log;
  };
  // All outlive the set. `knows` tells whether the metadata has a bucket: it decides between two errors.
  ReplicaSet(async::EventLoop& loop, log::LogDirectory& directory, TableSource& tables,
             std::function<bool(const model::TableBucket&)> knows, Config config);

  // Opens the replicas that are new here and gives all of them their role. The buckets that could not take
  // it.
  async::Task<BucketErrors> lead_or_follow(std::vector<Leadership> orders);
  // Stops replicas, and deletes their data where the order says so. The buckets that are still there.
  async::Task<BucketErrors> stop_replicas(std::vector<ReplicaStop> stops);
  // A table has other properties or another newest schema.
  void update_table(std::shared_ptr<const model::TableInfo> table);

  // kStorage: the bucket is offline here, for the reason given. kNotLeaderOrFollower: another server has it.
  // kUnknownTableOrBucket: nobody has.
  Result<std::shared_ptr<Replica>> find(const model::TableBucket& bucket) const;
  ReplicaCounts counts() const;
  const std::unordered_map<model::TableBucket, std::shared_ptr<Replica>>& replicas() const {
    return replicas_;
  }

  // Puts the watermarks of all replicas into the data directory's checkpoint (in memory).
  void checkpoint_high_watermarks();
  // Syncs all logs, which moves their recovery points.
  async::Task<void> flush();
  void expire_writers(model::Timestamp now);
  // Deletes closed segments that lie below the watermark and are older than their table keeps them. With
  // `roll_active`, an active segment that is too old is closed, so that it can go the next time.
  async::Task<void> expire_segments(model::Timestamp now, bool roll_active);
  // Waits for the orders that came before, refuses later ones, and closes all replicas; the set is empty
  // then.
  async::Task<void> close();

 private:
  // Orders of one bucket are carried out one after the other: a coordinator that got no answer sends an order
  // again while the first one may still be opening the log.
  async::Task<void> begin(model::TableBucket bucket);
  void end(const model::TableBucket& bucket);
  async::Task<Status> lead_or_follow_one(Leadership order);
  async::Task<Status> carry_out(Leadership order);
  async::Task<Result<std::shared_ptr<Replica>>> open(const Leadership& order);
  async::Task<Status> stop_one(ReplicaStop stop);
  async::Task<Status> carry_out(ReplicaStop stop);
  Error stopping() const;
  async::Task<Status> remove_left_over(model::TableBucket bucket);
  std::shared_ptr<TableSchemas> schemas_of(const model::TableInfo& table);

  async::EventLoop& loop_;
  log::LogDirectory& directory_;
  TableSource& tables_;
  std::function<bool(const model::TableBucket&)> knows_;
  const Config config_;
  std::unordered_map<model::TableBucket, std::shared_ptr<Replica>> replicas_;
  std::map<model::TableBucket, Error> offline_;          // could not be opened, and why
  std::map<model::TableBucket, std::string> left_over_;  // paths of logs whose deletion failed
  std::map<model::TableId, std::weak_ptr<TableSchemas>> schemas_;
  std::set<model::TableBucket> busy_;  // between begin() and end()
  async::WaitList idle_;               // a bucket is not busy any more
  bool closed_ = false;
};

}  // namespace strom::replica
