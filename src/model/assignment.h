// Where replicas are and who leads: the documents of the nodes below /tabletservers/{tables,partitions}.
// Values only, any thread. Written down in docs/formats/nodes.md; their paths are in node_paths.h.
// Upstream counterparts: server/zk/data/{TableAssignment,PartitionAssignment,BucketAssignment,LeaderAndIsr}.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/ids.h"

namespace strom::model {

// Replicas of each bucket, preferred leader first.
using BucketAssignments = std::map<BucketId, std::vector<ServerId>>;

// All parse_json functions here fail with kUnknownServerError.

struct TableAssignment {
  BucketAssignments buckets;

  std::string to_json() const;
  static Result<TableAssignment> parse_json(std::string_view json);
  friend bool operator==(const TableAssignment&, const TableAssignment&) = default;
};

struct PartitionAssignment {
  TableId table_id{};
  BucketAssignments buckets;

  std::string to_json() const;
  static Result<PartitionAssignment> parse_json(std::string_view json);
  friend bool operator==(const PartitionAssignment&, const PartitionAssignment&) = default;
};

// Leadership of one bucket.
struct LeaderAndIsr {
  ServerId leader = kNoServer;  // kNoServer: the bucket is offline
  LeaderEpoch leader_epoch{};
  std::vector<ServerId> isr;  // in-sync replicas, the leader among them; never empty
  CoordinatorEpoch coordinator_epoch{};
  BucketEpoch bucket_epoch{};
  std::vector<ServerId> standby_replicas = {};  // of a primary-key table; absent in version 1

  std::string to_json() const;
  static Result<LeaderAndIsr> parse_json(std::string_view json);
  friend bool operator==(const LeaderAndIsr&, const LeaderAndIsr&) = default;
};

}  // namespace strom::model
