#include "server/metadata_cache.h"

namespace strom::server {

void MetadataCache::apply(const MetadataNews& news) {
  if (news.coordinator) coordinator_ = news.coordinator;
  servers_ = news.servers;
  for (model::TableId id : news.dropped_tables) drop(id);
  for (const model::TablePath& path : news.dropped_paths) {
    auto known = paths_.find(path);
    if (known != paths_.end()) drop(model::TableId(known->second));
  }
  for (const auto& partition : news.dropped_partitions) drop(partition);
  for (const auto& info : news.tables) {
    auto known = paths_.find(info->path);
    if (known != paths_.end() && known->second != info->table_id)
      drop(known->second);  // dropped and made again
    paths_[info->path] = info->table_id;
    tables_[info->table_id].info = info;
  }
  for (const auto& partition : news.partitions) {
    auto table = tables_.find(partition.table);
    if (table == tables_.end()) continue;
    table->second.partitions[partition.name].id = partition.id;
    partitions_[partition.id] = {partition.table, partition.name};
  }
  for (const auto& bucket : news.buckets) {
    auto table = tables_.find(bucket.key.table);
    if (table == tables_.end()) continue;
    Buckets* buckets = &table->second.buckets;
    if (bucket.key.partition) {
      auto name = partitions_.find(*bucket.key.partition);
      if (name == partitions_.end()) continue;
      buckets = &table->second.partitions[name->second.second].buckets;
    }
    (*buckets)[bucket.key.bucket] = bucket.metadata;
  }
}

void MetadataCache::drop(model::TableId id) {
  auto table = tables_.find(id);
  if (table == tables_.end()) return;
  for (const auto& [name, partition] : table->second.partitions) partitions_.erase(partition.id);
  auto path = paths_.find(table->second.info->path);
  if (path != paths_.end() && path->second == id) paths_.erase(path);
  tables_.erase(table);
}

void MetadataCache::drop(const MetadataNews::Partition& partition) {
  auto table = tables_.find(partition.table);
  if (table == tables_.end()) return;
  auto& partitions = table->second.partitions;
  auto found = partitions.find(partition.name);
  if (auto named = partitions_.find(partition.id); named != partitions_.end())
    found = partitions.find(named->second.second);
  if (found == partitions.end()) return;
  partitions_.erase(found->second.id);
  partitions.erase(found);
}

const MetadataCache::Table* MetadataCache::find(const model::TablePath& path) const {
  auto id = paths_.find(path);
  return id == paths_.end() ? nullptr : find(id->second);
}

const MetadataCache::Table* MetadataCache::find(model::TableId id) const {
  auto table = tables_.find(id);
  return table == tables_.end() ? nullptr : &table->second;
}

std::optional<std::pair<model::TableId, std::string>> MetadataCache::find_partition(
    model::PartitionId id) const {
  auto found = partitions_.find(id);
  if (found == partitions_.end()) return std::nullopt;
  return found->second;
}

bool MetadataCache::knows(const model::TableBucket& bucket) const {
  const Table* table = find(bucket.table);
  if (table == nullptr) return false;
  if (!bucket.partition) return table->buckets.contains(bucket.bucket);
  auto name = partitions_.find(*bucket.partition);
  if (name == partitions_.end()) return false;
  auto partition = table->partitions.find(name->second.second);
  return partition != table->partitions.end() && partition->second.buckets.contains(bucket.bucket);
}

}  // namespace strom::server
