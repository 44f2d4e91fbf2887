// What the coordinator needs of those around it: ControlClient carries its orders to the tablet servers.
// Implemented by server/coordinator over rpc::Channel, and by a recorder in tests. Upstream counterpart:
// coordinator/{CoordinatorRequestBatch,CoordinatorChannelManager}.
#pragma once

#include <vector>

#include "async/deadline.h"
#include "async/task.h"
#include "coordinator/state.h"

namespace strom::coordinator {

// Who leads a bucket from now on, for the servers that have a replica of it.
struct BucketLeadership {
  PhysicalTablePath path;
  TableBucket bucket;
  std::vector<ServerId> replicas;
  LeaderAndIsr leadership;
  friend bool operator==(const BucketLeadership&, const BucketLeadership&) = default;
};

struct ReplicaStop {
  TableBucket bucket;
  bool delete_data = false;
  LeaderEpoch leader_epoch;
  friend bool operator==(const ReplicaStop&, const ReplicaStop&) = default;
};

// News for the metadata caches of all servers. Tables, partitions and buckets are deltas; the live servers,
// which the client adds from the State, always come whole.
struct MetadataUpdate {
  struct Partition {
    TableId table;
    std::string name;
    PartitionId id;
  };
  std::vector<model::TableInfo> tables;
  std::vector<Partition> partitions;
  std::vector<BucketLeadership> buckets;
  std::vector<std::pair<TablePath, TableId>> dropped_tables;
  std::vector<Partition> dropped_partitions;
};

class ControlClient {
 public:
  virtual ~ControlClient() = default;
  // The buckets that the server could not take over, each with the reason; an Error when the server didn't
  // answer.
  virtual async::Task<Result<std::vector<std::pair<TableBucket, Error>>>> notify_leaders(
      ServerId server, CoordinatorEpoch epoch, std::vector<BucketLeadership> buckets,
      async::Deadline deadline) = 0;
  virtual async::Task<Status> update_metadata(
      ServerId server, CoordinatorEpoch epoch,
      std::map<ServerId, model::TabletServerRegistration> live_servers, MetadataUpdate update,
      async::Deadline deadline) = 0;
  // The replicas that are stopped and, where asked, deleted.
  virtual async::Task<Result<std::vector<TableBucket>>> stop_replicas(ServerId server, CoordinatorEpoch epoch,
                                                                      std::vector<ReplicaStop> replicas,
                                                                      async::Deadline deadline) = 0;
};

}  // namespace strom::coordinator
