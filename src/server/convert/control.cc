#include "server/convert/control.h"

#include "server/convert/metadata.h"
#include "server/convert/names.h"
#include "server/convert/servers.h"

namespace strom::server {

namespace {

Status add_table(const proto::PbTableMetadata& message, MetadataNews& news) {
  const model::TableId id(message.table_id());
  const model::TablePath path = table_path(message.table_path());
  if (path.database == kDeletedTableDatabase && path.table == kDeletedName) {
    news.dropped_tables.push_back(id);
    return {};
  }
  if (id.value == kDeletedId) {
    news.dropped_paths.push_back(path);
    return {};
  }
  // Without a description: a table that is known already, and its buckets.
  if (!message.table_json().empty()) {
    news.tables.push_back(std::make_shared<const model::TableInfo>(STROM_TRY(table_info(message))));
  }
  for (const proto::PbBucketMetadata& bucket : message.bucket_metadata()) {
    news.buckets.push_back({{id, std::nullopt, model::BucketId(bucket.bucket_id())}, bucket_metadata(bucket)});
  }
  return {};
}

void add_partition(const proto::PbPartitionMetadata& message, MetadataNews& news) {
  const model::TableId table(message.table_id());
  const model::PartitionId id(message.partition_id());
  if (message.partition_name() == kDeletedName || id.value == kDeletedId) {
    news.dropped_partitions.push_back({table, message.partition_name(), id});
    return;
  }
  news.partitions.push_back({table, message.partition_name(), id});
  for (const proto::PbBucketMetadata& bucket : message.bucket_metadata()) {
    news.buckets.push_back({{table, id, model::BucketId(bucket.bucket_id())}, bucket_metadata(bucket)});
  }
}

}  // namespace

Result<MetadataNews> metadata_news(const proto::UpdateMetadataRequest& request) {
  MetadataNews news;
  if (request.has_coordinator_server()) news.coordinator = STROM_TRY(server_address(request.coordinator_server()));
  for (const proto::PbServerNode& server : request.tablet_servers()) {
    news.servers[model::ServerId(server.node_id())] = STROM_TRY(server_address(server));
  }
  for (const proto::PbTableMetadata& table : request.table_metadata()) STROM_TRY(add_table(table, news));
  for (const proto::PbPartitionMetadata& partition : request.partition_metadata()) add_partition(partition, news);
  return news;
}

Result<std::vector<replica::Leadership>> leaderships(const proto::NotifyLeaderAndIsrRequest& request) {
  std::vector<replica::Leadership> all;
  for (const auto& message : request.notify_buckets_leader_req()) {
    replica::Leadership one;
    one.path = physical_path(message.physical_table_path());
    one.bucket = table_bucket(message.table_bucket());
    if (one.path.partition.has_value() != one.bucket.partition.has_value()) {
      return make_error(ErrorCode::kUnknownTableOrBucket,
                        "bucket {} of {} has a partition name without a partition id, or the reverse", one.bucket, one.path);
    }
    one.replicas = server_ids(message.replicas());
    one.state.leader = model::ServerId(message.leader());
    one.state.leader_epoch = model::LeaderEpoch(message.leader_epoch());
    one.state.isr = server_ids(message.isr());
    one.state.coordinator_epoch = model::CoordinatorEpoch(request.coordinator_epoch());
    one.state.bucket_epoch = model::BucketEpoch(message.bucket_epoch());
    one.state.standby_replicas = server_ids(message.standby_replicas());
    all.push_back(std::move(one));
  }
  return all;
}

Result<std::vector<replica::ReplicaStop>> replica_stops(const proto::StopReplicaRequest& request) {
  std::vector<replica::ReplicaStop> stops;
  for (const auto& message : request.stop_replicas_req()) {
    stops.push_back({table_bucket(message.table_bucket()), message.delete_(), model::LeaderEpoch(message.leader_epoch())});
  }
  return stops;
}

}  // namespace strom::server
