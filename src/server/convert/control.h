// The coordinator's orders between messages and domain types, as the tablet server reads them.
// The other direction is in coordinator/control_requests.h. Pure, any thread.
// Upstream counterpart: utils/ServerRpcMessageUtils (getUpdateMetadataRequestData, getNotifyLeaderAndIsrRequestData, ...).
#pragma once

#include <vector>

#include "base/result.h"
#include "replica/replica.h"
#include "replica/replica_set.h"
#include "rpc/proto/metadata.pb.h"
#include "rpc/proto/replication.pb.h"
#include "server/metadata_cache.h"

namespace strom::server {

// kInvalidTable or kInvalidConfig when a table's description or a server's listeners can't be read.
Result<MetadataNews> metadata_news(const proto::UpdateMetadataRequest& request);

// kUnknownTableOrBucket for a bucket that has a partition name without a partition id, or the reverse.
Result<std::vector<replica::Leadership>> leaderships(const proto::NotifyLeaderAndIsrRequest& request);

Result<std::vector<replica::ReplicaStop>> replica_stops(const proto::StopReplicaRequest& request);

// How a message says that something is gone: this name with the real id, or the real name with this id.
inline constexpr std::string_view kDeletedTableDatabase = "__UNKNOWN__";
inline constexpr std::string_view kDeletedName = "__delete__";  // of the table, or of the partition
inline constexpr int64_t kDeletedId = -2;

}  // namespace strom::server
