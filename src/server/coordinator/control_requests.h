// The coordinator's orders as messages. What the tablet server reads of them is in convert/. Pure, any
// thread. Upstream counterparts: coordinator/CoordinatorRequestBatch, utils/ServerRpcMessageUtils
// (makeUpdateMetadataRequest, ...).
#pragma once

#include <map>
#include <span>
#include <vector>

#include "coordinator/ports.h"
#include "rpc/proto/metadata.pb.h"
#include "rpc/proto/replication.pb.h"

namespace strom::server {

proto::NotifyLeaderAndIsrRequest notify_leaders_request(
    model::CoordinatorEpoch epoch, const std::vector<coordinator::BucketLeadership>& buckets);

proto::StopReplicaRequest stop_replicas_request(model::CoordinatorEpoch epoch,
                                                const std::vector<coordinator::ReplicaStop>& replicas);

// A bucket whose table is not among the update's tables comes in a message of that table without a
// description.
proto::UpdateMetadataRequest update_metadata_request(
    model::CoordinatorEpoch epoch, std::span<const model::Endpoint> coordinator,
    const std::map<model::ServerId, model::TabletServerRegistration>& live_servers,
    const coordinator::MetadataUpdate& update);

}  // namespace strom::server
