#include "server/convert/control.h"

#include "server/convert/names.h"

namespace strom::server {

Result<std::vector<replica::Leadership>> leaderships(const proto::NotifyLeaderAndIsrRequest& request) {
  std::vector<replica::Leadership> all;
  for (const auto& message : request.notify_buckets_leader_req()) {
    replica::Leadership one;
    one.path = physical_path(message.physical_table_path());
    one.bucket = table_bucket(message.table_bucket());
    if (one.path.partition.has_value() != one.bucket.partition.has_value()) {
      return make_error(ErrorCode::kUnknownTableOrBucket,
                        "bucket {} of {} has a partition name without a partition id, or the reverse",
                        one.bucket, one.path);
    }
    one.replicas = server_ids(message.replicas());
    one.state.leader = model::ServerId(message.leader());
    one.state.leader_epoch = model::LeaderEpoch(message.leader_epoch());
    one.state.isr = server_ids(message.isr());
    one.state.coordinator_epoch = model::CoordinatorEpoch(request.coordinator_epoch());
    one.state.bucket_epoch = model::BucketEpoch(message.bucket_epoch());
    one.state.standby_replicas = server_ids(message.standby_replicas());
    all.push_back(std::move(one));
  }
  return all;
}

Result<std::vector<replica::ReplicaStop>> replica_stops(const proto::StopReplicaRequest& request) {
  std::vector<replica::ReplicaStop> stops;
  for (const auto& message : request.stop_replicas_req()) {
    stops.push_back({table_bucket(message.table_bucket()), message.delete_(),
                     model::LeaderEpoch(message.leader_epoch())});
  }
  return stops;
}

}  // namespace strom::server
