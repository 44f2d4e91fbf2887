// Tables, partitions and buckets as metadata answers and metadata updates carry them. Pure, any thread.
// Upstream counterpart: utils/ServerRpcMessageUtils (toPbTableMetadata, toPbPartitionMetadata,
// toPbBucketMetadata).
#pragma once

#include <string_view>

#include "rpc/proto/metadata.pb.h"
#include "server/metadata_cache.h"

namespace strom::server {

// Without buckets.
void write(const model::TableInfo& table, proto::PbTableMetadata& message);
void write(model::TableId table, std::string_view name, model::PartitionId id,
           proto::PbPartitionMetadata& message);
void write(const BucketMetadata& bucket, proto::PbBucketMetadata& message);

// The table that a message describes. kInvalidTable, kInvalidConfig.
Result<model::TableInfo> table_info(const proto::PbTableMetadata& message);
BucketMetadata bucket_metadata(const proto::PbBucketMetadata& message);

// What the coordinator tells of the cluster. kInvalidTable or kInvalidConfig when a table's description or a
// server's listeners can't be read.
Result<MetadataNews> metadata_news(const proto::UpdateMetadataRequest& request);

// How a message says that something is gone: this name with the real id, or the real name with this id.
inline constexpr std::string_view kDeletedTableDatabase = "__UNKNOWN__";
inline constexpr std::string_view kDeletedName = "__delete__";  // of the table, or of the partition
inline constexpr int64_t kDeletedId = -2;

}  // namespace strom::server
