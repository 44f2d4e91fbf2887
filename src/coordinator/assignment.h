// Which servers get which replicas, and who leads. Pure.
// Upstream counterparts: utils/TableAssignmentUtils, coordinator/statemachine/ReplicaLeaderElection.
#pragma once

#include <map>
#include <vector>

#include "base/result.h"
#include "coordinator/state.h"

namespace strom::coordinator {

// Spreads `bucket_count` buckets over the live servers: the first replicas take turns from a start that
// `random` chooses, the others follow at a shift that grows with each turn. With racks on all servers,
// replicas of one bucket are on different racks as long as there are some. kInvalidReplicationFactor when
// there are fewer live servers than replicas.
Result<std::map<BucketId, std::vector<ServerId>>> assign_replicas(
    int32_t bucket_count, int32_t replication_factor,
    const std::map<ServerId, model::TabletServerRegistration>& servers, uint64_t random);

// Leader and ISR of a new bucket: the first live replica leads, all live ones are in sync.
LeaderAndIsr elect_first(const std::vector<ServerId>& replicas,
                         const std::map<ServerId, model::TabletServerRegistration>& servers,
                         CoordinatorEpoch epoch);

// Elects again: the first replica, in order of preference, that is alive and in sync. Without one the bucket
// has no leader, and the ISR stays as it is, so that one of its members can lead later. Epochs grow by one.
LeaderAndIsr elect_again(const BucketState& bucket,
                         const std::map<ServerId, model::TabletServerRegistration>& servers,
                         CoordinatorEpoch epoch);

}  // namespace strom::coordinator
