// Tables, partitions and buckets as metadata answers and metadata updates carry them. Pure, any thread.
// Upstream counterpart: utils/ServerRpcMessageUtils (toPbTableMetadata, toPbPartitionMetadata, toPbBucketMetadata).
#pragma once

#include <string_view>

#include "rpc/proto/metadata.pb.h"
#include "server/metadata_cache.h"

namespace strom::server {

// Without buckets.
void write(const model::TableInfo& table, proto::PbTableMetadata& message);
void write(model::TableId table, std::string_view name, model::PartitionId id, proto::PbPartitionMetadata& message);
void write(const BucketMetadata& bucket, proto::PbBucketMetadata& message);

// The table that a message describes. kInvalidTable, kInvalidConfig.
Result<model::TableInfo> table_info(const proto::PbTableMetadata& message);
BucketMetadata bucket_metadata(const proto::PbBucketMetadata& message);

}  // namespace strom::server
