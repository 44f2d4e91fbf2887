#include "server/admin/locations.h"

#include "model/assignment.h"
#include "model/node_paths.h"
#include "server/metadata_reader.h"

namespace strom::server {

using async::Task;
using metastore::Metastore;
namespace node_paths = model::node_paths;

namespace {

Error no_partition(const model::PhysicalTablePath& path) {
  return make_error(ErrorCode::kPartitionNotExists, "partition {} of table {} does not exist",
                    path.partition.value_or(""), path.path);
}

// Empty when there is no such node.
Task<Result<std::string>> read(Metastore& store, std::string path) {
  auto node = STROM_CO_TRY(co_await store.get(path));
  co_return node ? to_string(ByteView(node->data)) : std::string();
}

Task<Result<model::BucketAssignments>> read_assignment(Metastore& store, model::TableId table,
                                                       std::optional<model::PartitionId> partition) {
  auto text = STROM_CO_TRY(co_await read(
      store, partition ? node_paths::partition_assignment(*partition) : node_paths::table_assignment(table)));
  if (text.empty()) co_return model::BucketAssignments();
  if (!partition) co_return STROM_CO_TRY(model::TableAssignment::parse_json(text)).buckets;
  co_return STROM_CO_TRY(model::PartitionAssignment::parse_json(text)).buckets;
}

Task<Result<BucketMetadata>> read_bucket(Metastore& store, model::TableBucket name,
                                         std::vector<model::ServerId> replicas) {
  BucketMetadata bucket;
  bucket.bucket = name.bucket;
  bucket.replicas = std::move(replicas);
  auto text = STROM_CO_TRY(co_await read(store, node_paths::leader_and_isr(name)));
  if (text.empty()) co_return bucket;
  auto leadership = STROM_CO_TRY(model::LeaderAndIsr::parse_json(text));
  if (leadership.leader != model::kNoServer) bucket.leader = leadership.leader;
  bucket.leader_epoch = leadership.leader_epoch;
  bucket.bucket_epoch = leadership.bucket_epoch;
  bucket.isr = std::move(leadership.isr);
  co_return bucket;
}

Task<Result<MetadataCache::Buckets>> read_buckets(Metastore& store, model::TableId table,
                                                  std::optional<model::PartitionId> partition,
                                                  int32_t bucket_count) {
  MetadataCache::Buckets buckets;
  auto assignment = STROM_CO_TRY(co_await read_assignment(store, table, partition));
  for (const auto& [id, replicas] : assignment) {
    buckets[id] = STROM_CO_TRY(co_await read_bucket(store, {table, partition, id}, replicas));
  }
  complete(buckets, bucket_count);
  co_return buckets;
}

}  // namespace

Task<Result<LocatedTable>> locate_table(Metastore& store, model::TablePath path) {
  LocatedTable table;
  table.info = STROM_CO_TRY(co_await read_table(store, path));
  if (table.info->is_partitioned()) co_return table;
  table.buckets = STROM_CO_TRY(
      co_await read_buckets(store, table.info->table_id, std::nullopt, table.info->bucket_count));
  co_return table;
}

Task<Result<LocatedPartition>> locate_partition(Metastore& store, model::PhysicalTablePath path) {
  auto table = co_await read_table(store, path.path);
  if (table.code() == ErrorCode::kTableNotExist) co_return no_partition(path);
  if (!table.ok()) co_return table.error();
  auto registration = STROM_CO_TRY(co_await read_partition(store, path.path, path.partition.value_or("")));
  if (!registration) co_return no_partition(path);
  LocatedPartition partition{*table, registration->partition_id, {}};
  partition.buckets =
      STROM_CO_TRY(co_await read_buckets(store, (*table)->table_id, partition.id, (*table)->bucket_count));
  co_return partition;
}

Task<Result<model::PhysicalTablePath>> find_partition(Metastore& store, std::vector<model::TablePath> tables,
                                                      model::PartitionId id) {
  for (const model::TablePath& path : tables) {
    auto partitions = STROM_CO_TRY(co_await read_partitions(store, path));
    for (const auto& [name, registration] : partitions) {
      if (registration.partition_id == id) co_return model::PhysicalTablePath{path, name};
    }
  }
  co_return make_error(ErrorCode::kPartitionNotExists,
                       "none of the tables in the request has a partition with id {}", id);
}

void complete(MetadataCache::Buckets& buckets, int32_t bucket_count) {
  for (int32_t number = 0; number < bucket_count; ++number) {
    const model::BucketId id(number);
    auto [bucket, added] = buckets.try_emplace(id);
    if (added) bucket->second.bucket = id;
  }
}

}  // namespace strom::server
