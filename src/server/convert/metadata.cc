#include "server/convert/metadata.h"

#include "server/convert/names.h"
#include "server/convert/servers.h"

namespace strom::server {

void write(const model::TableInfo& table, proto::PbTableMetadata& message) {
  write(table.path, *message.mutable_table_path());
  message.set_table_id(table.table_id.value);
  message.set_schema_id(table.schema_id.value);
  message.set_table_json(table.descriptor().to_json());
  message.set_created_time(table.created.value);
  message.set_modified_time(table.modified.value);
  if (table.remote_data_dir) message.set_remote_data_dir(*table.remote_data_dir);
}

void write(model::TableId table, std::string_view name, model::PartitionId id,
           proto::PbPartitionMetadata& message) {
  message.set_table_id(table.value);
  message.set_partition_name(std::string(name));
  message.set_partition_id(id.value);
}

void write(const BucketMetadata& bucket, proto::PbBucketMetadata& message) {
  message.set_bucket_id(bucket.bucket.value);
  if (bucket.leader) message.set_leader_id(bucket.leader->value);
  message.set_leader_epoch(bucket.leader_epoch.value);
  message.set_bucket_epoch(bucket.bucket_epoch.value);
  write(bucket.replicas, *message.mutable_replica_id());
  write(bucket.isr, *message.mutable_isr());
}

Result<model::TableInfo> table_info(const proto::PbTableMetadata& message) {
  auto descriptor = STROM_TRY(model::TableDescriptor::parse_json(message.table_json()));
  std::optional<std::string> remote_data_dir;
  if (message.has_remote_data_dir()) remote_data_dir = message.remote_data_dir();
  auto registration = STROM_TRY(model::TableRegistration::make(model::TableId(message.table_id()), descriptor,
                                                               std::move(remote_data_dir),
                                                               model::Timestamp(message.created_time())));
  registration.modified = model::Timestamp(message.modified_time());
  return model::make_table_info(table_path(message.table_path()), registration,
                                {model::SchemaId(message.schema_id()), std::move(descriptor.schema)});
}

BucketMetadata bucket_metadata(const proto::PbBucketMetadata& message) {
  BucketMetadata bucket;
  bucket.bucket = model::BucketId(message.bucket_id());
  if (message.has_leader_id() && message.leader_id() >= 0)
    bucket.leader = model::ServerId(message.leader_id());
  bucket.leader_epoch = model::LeaderEpoch(message.leader_epoch());
  bucket.bucket_epoch = model::BucketEpoch(message.bucket_epoch());
  bucket.replicas = server_ids(message.replica_id());
  bucket.isr = server_ids(message.isr());
  return bucket;
}

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
    news.buckets.push_back(
        {{id, std::nullopt, model::BucketId(bucket.bucket_id())}, bucket_metadata(bucket)});
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
  if (request.has_coordinator_server())
    news.coordinator = STROM_TRY(server_address(request.coordinator_server()));
  for (const proto::PbServerNode& server : request.tablet_servers()) {
    news.servers[model::ServerId(server.node_id())] = STROM_TRY(server_address(server));
  }
  for (const proto::PbTableMetadata& table : request.table_metadata()) STROM_TRY(add_table(table, news));
  for (const proto::PbPartitionMetadata& partition : request.partition_metadata())
    add_partition(partition, news);
  return news;
}

}  // namespace strom::server
