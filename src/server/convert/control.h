// The coordinator's orders about replicas, as the tablet server reads them. The other direction is in
// coordinator/control_requests.h. Pure, any thread.
// Upstream counterpart: utils/ServerRpcMessageUtils (getNotifyLeaderAndIsrRequestData, getStopReplicaData).
#pragma once

#include <vector>

#include "base/result.h"
#include "replica/replica.h"
#include "replica/replica_set.h"
#include "rpc/proto/replication.pb.h"

namespace strom::server {

// kUnknownTableOrBucket for a bucket that has a partition name without a partition id, or the reverse.
Result<std::vector<replica::Leadership>> leaderships(const proto::NotifyLeaderAndIsrRequest& request);

Result<std::vector<replica::ReplicaStop>> replica_stops(const proto::StopReplicaRequest& request);

}  // namespace strom::server
