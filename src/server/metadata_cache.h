// MetadataCache: what the coordinator told this server of the cluster: live servers, tables, partitions,
// leaders. Answers metadata requests and says whether a bucket exists at all. Values are shared between the
// shards' caches, never changed. Lives on: one shard; each shard has one. Upstream counterpart:
// server/metadata/TabletServerMetadataCache.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "model/server_registration.h"
#include "model/table_bucket.h"
#include "model/table_info.h"

namespace strom::server {

struct BucketMetadata {
  model::BucketId bucket;
  std::optional<model::ServerId> leader;  // nothing: the bucket has no leader now
  model::LeaderEpoch leader_epoch;
  model::BucketEpoch bucket_epoch;
  std::vector<model::ServerId> replicas;
  std::vector<model::ServerId> isr;  // empty: not told
};

struct ServerAddress {
  std::vector<model::Endpoint> endpoints;
  std::optional<std::string> rack;
};

// News from the coordinator. Servers come whole, the rest as changes.
struct MetadataNews {
  struct Partition {
    model::TableId table;
    std::string name;
    model::PartitionId id;
  };
  struct Bucket {
    model::TableBucket key;
    BucketMetadata metadata;
  };
  std::optional<ServerAddress> coordinator;
  std::map<model::ServerId, ServerAddress> servers;
  std::vector<std::shared_ptr<const model::TableInfo>> tables;
  std::vector<Partition> partitions;
  std::vector<Bucket> buckets;
  // What is gone, told by the id (the name then says so) or by the name (the id then says so).
  std::vector<model::TableId> dropped_tables;
  std::vector<model::TablePath> dropped_paths;
  std::vector<Partition> dropped_partitions;
};

class MetadataCache {
 public:
  using Buckets = std::map<model::BucketId, BucketMetadata>;
  struct Partition {
    model::PartitionId id;
    Buckets buckets;
  };
  struct Table {
    std::shared_ptr<const model::TableInfo> info;
    Buckets buckets;  // of a table without partitions
    std::map<std::string, Partition> partitions;
  };

  void apply(const MetadataNews& news);

  const std::optional<ServerAddress>& coordinator() const { return coordinator_; }
  const std::map<model::ServerId, ServerAddress>& servers() const { return servers_; }
  const Table* find(const model::TablePath& path) const;
  const Table* find(model::TableId id) const;
  // The table and the name of a partition; nothing when it is not known.
  std::optional<std::pair<model::TableId, std::string>> find_partition(model::PartitionId id) const;
  bool knows(const model::TableBucket& bucket) const;

 private:
  void drop(model::TableId id);
  void drop(const MetadataNews::Partition& partition);

  std::optional<ServerAddress> coordinator_;
  std::map<model::ServerId, ServerAddress> servers_;
  std::unordered_map<model::TableId, Table> tables_;
  std::map<model::TablePath, model::TableId> paths_;
  std::unordered_map<model::PartitionId, std::pair<model::TableId, std::string>> partitions_;
};

}  // namespace strom::server
