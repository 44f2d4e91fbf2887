#include "server/coordinator/control_requests.h"

#include "server/convert/metadata.h"
#include "server/convert/names.h"
#include "server/convert/servers.h"

namespace strom::server {

using coordinator::BucketLeadership;
using coordinator::MetadataUpdate;

namespace {

BucketMetadata metadata_of(const BucketLeadership& bucket) {
  const model::LeaderAndIsr& leadership = bucket.leadership;
  BucketMetadata metadata;
  metadata.bucket = bucket.bucket.bucket;
  if (leadership.leader != model::kNoServer) metadata.leader = leadership.leader;
  metadata.leader_epoch = leadership.leader_epoch;
  metadata.bucket_epoch = leadership.bucket_epoch;
  metadata.replicas = bucket.replicas;
  metadata.isr = leadership.isr;
  return metadata;
}

// Tables and partitions of an update by id, so that buckets find theirs.
class UpdateWriter {
 public:
  explicit UpdateWriter(proto::UpdateMetadataRequest& request) : request_(request) {}

  void add(const model::TableInfo& table) {
    tables_[table.table_id] = request_.table_metadata_size();
    write(table, *request_.add_table_metadata());
  }
  void add(const MetadataUpdate::Partition& partition) {
    partitions_[partition.id] = request_.partition_metadata_size();
    write(partition.table, partition.name, partition.id, *request_.add_partition_metadata());
  }
  void add(const BucketLeadership& bucket) {
    auto& message = bucket.bucket.partition ? *partition_of(bucket).add_bucket_metadata()
                                            : *table_of(bucket).add_bucket_metadata();
    write(metadata_of(bucket), message);
  }
  void drop(model::TableId id) {
    proto::PbTableMetadata& message = table_without_description(id);
    write(model::TablePath{std::string(kDeletedTableDatabase), std::string(kDeletedName)},
          *message.mutable_table_path());
  }
  void drop(const MetadataUpdate::Partition& partition) {
    write(partition.table, kDeletedName, partition.id, *request_.add_partition_metadata());
  }

 private:
  // All fields are required; receivers look at the names and ids only.
  proto::PbTableMetadata& table_without_description(model::TableId id) {
    proto::PbTableMetadata& message = *request_.add_table_metadata();
    message.set_table_id(id.value);
    message.set_schema_id(0);
    message.set_table_json("");
    message.set_created_time(-1);
    message.set_modified_time(-1);
    return message;
  }
  proto::PbTableMetadata& table_of(const BucketLeadership& bucket) {
    auto [known, added] = tables_.try_emplace(bucket.bucket.table, request_.table_metadata_size());
    if (added) write(bucket.path.path, *table_without_description(bucket.bucket.table).mutable_table_path());
    return *request_.mutable_table_metadata(known->second);
  }
  proto::PbPartitionMetadata& partition_of(const BucketLeadership& bucket) {
    const model::PartitionId id = *bucket.bucket.partition;
    auto [known, added] = partitions_.try_emplace(id, request_.partition_metadata_size());
    if (added)
      write(bucket.bucket.table, bucket.path.partition.value_or(""), id, *request_.add_partition_metadata());
    return *request_.mutable_partition_metadata(known->second);
  }

  proto::UpdateMetadataRequest& request_;
  std::map<model::TableId, int> tables_;
  std::map<model::PartitionId, int> partitions_;
};

}  // namespace

proto::NotifyLeaderAndIsrRequest notify_leaders_request(model::CoordinatorEpoch epoch,
                                                        const std::vector<BucketLeadership>& buckets) {
  proto::NotifyLeaderAndIsrRequest request;
  request.set_coordinator_epoch(epoch.value);
  for (const BucketLeadership& bucket : buckets) {
    auto& message = *request.add_notify_buckets_leader_req();
    write(bucket.path, *message.mutable_physical_table_path());
    write(bucket.bucket, *message.mutable_table_bucket());
    message.set_leader(bucket.leadership.leader.value);
    message.set_leader_epoch(bucket.leadership.leader_epoch.value);
    message.set_bucket_epoch(bucket.leadership.bucket_epoch.value);
    write(bucket.replicas, *message.mutable_replicas());
    write(bucket.leadership.isr, *message.mutable_isr());
    write(bucket.leadership.standby_replicas, *message.mutable_standby_replicas());
  }
  return request;
}

proto::StopReplicaRequest stop_replicas_request(model::CoordinatorEpoch epoch,
                                                const std::vector<coordinator::ReplicaStop>& replicas) {
  proto::StopReplicaRequest request;
  request.set_coordinator_epoch(epoch.value);
  for (const coordinator::ReplicaStop& replica : replicas) {
    auto& message = *request.add_stop_replicas_req();
    write(replica.bucket, *message.mutable_table_bucket());
    message.set_leader_epoch(replica.leader_epoch.value);
    message.set_delete_(replica.delete_data);
    message.set_deleteremote(replica.delete_data);
  }
  return request;
}

proto::UpdateMetadataRequest update_metadata_request(
    model::CoordinatorEpoch epoch, std::span<const model::Endpoint> coordinator,
    const std::map<model::ServerId, model::TabletServerRegistration>& live_servers,
    const MetadataUpdate& update) {
  proto::UpdateMetadataRequest request;
  request.set_coordinator_epoch(epoch.value);
  if (!coordinator.empty())
    write_for_server(kCoordinatorNode, coordinator, *request.mutable_coordinator_server());
  for (const auto& [id, registration] : live_servers) {
    proto::PbServerNode& node = *request.add_tablet_servers();
    write_for_server(id, registration.endpoints, node);
    if (registration.rack) node.set_rack(*registration.rack);
  }
  UpdateWriter writer(request);
  for (const model::TableInfo& table : update.tables) writer.add(table);
  for (const auto& partition : update.partitions) writer.add(partition);
  for (const BucketLeadership& bucket : update.buckets) writer.add(bucket);
  for (const auto& [path, id] : update.dropped_tables) writer.drop(id);
  for (const auto& partition : update.dropped_partitions) writer.drop(partition);
  return request;
}

}  // namespace strom::server
