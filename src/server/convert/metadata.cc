#include "server/convert/metadata.h"

#include "server/convert/names.h"

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

void write(model::TableId table, std::string_view name, model::PartitionId id, proto::PbPartitionMetadata& message) {
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
  auto registration = STROM_TRY(model::TableRegistration::make(
      model::TableId(message.table_id()), descriptor, std::move(remote_data_dir), model::Timestamp(message.created_time())));
  registration.modified = model::Timestamp(message.modified_time());
  return model::make_table_info(table_path(message.table_path()), registration,
                                {model::SchemaId(message.schema_id()), std::move(descriptor.schema)});
}

BucketMetadata bucket_metadata(const proto::PbBucketMetadata& message) {
  BucketMetadata bucket;
  bucket.bucket = model::BucketId(message.bucket_id());
  if (message.has_leader_id() && message.leader_id() >= 0) bucket.leader = model::ServerId(message.leader_id());
  bucket.leader_epoch = model::LeaderEpoch(message.leader_epoch());
  bucket.bucket_epoch = model::BucketEpoch(message.bucket_epoch());
  bucket.replicas = server_ids(message.replica_id());
  bucket.isr = server_ids(message.isr());
  return bucket;
}

}  // namespace strom::server
