// Tables and partitions with the places of their buckets, as the metadata store has them: for metadata
// requests about what this server's cache doesn't know yet. Lives on: the home shard. Upstream counterpart:
// ZooKeeperBasedMetadataProvider.
#pragma once

#include <memory>
#include <string>

#include "async/task.h"
#include "metastore/metastore.h"
#include "server/metadata_cache.h"

namespace strom::server {

struct LocatedTable {
  std::shared_ptr<const model::TableInfo> info;
  MetadataCache::Buckets buckets;  // all; none of a partitioned table
};
struct LocatedPartition {
  std::shared_ptr<const model::TableInfo> table;
  model::PartitionId id;
  MetadataCache::Buckets buckets;  // all
};

// kTableNotExist.
async::Task<Result<LocatedTable>> locate_table(metastore::Metastore& store, model::TablePath path);
// kPartitionNotExists, also when there is no such table.
async::Task<Result<LocatedPartition>> locate_partition(metastore::Metastore& store,
                                                       model::PhysicalTablePath path);
// The partition of one of these tables that has this id. kPartitionNotExists.
async::Task<Result<model::PhysicalTablePath>> find_partition(metastore::Metastore& store,
                                                             std::vector<model::TablePath> tables,
                                                             model::PartitionId id);

// Adds the buckets that are missing up to the number that the table has, without a leader: clients count what
// is listed.
void complete(MetadataCache::Buckets& buckets, int32_t bucket_count);

}  // namespace strom::server
