// GET_METADATA: the live servers, always; the tables and partitions that the request names, with the places
// of their buckets. From this shard's cache, and from the metadata store what the cache doesn't have.
#include <set>

#include "rpc/proto/metadata.pb.h"
#include "rpc/typed.h"
#include "server/admin/locations.h"
#include "server/convert/metadata.h"
#include "server/convert/names.h"
#include "server/convert/servers.h"
#include "server/handlers.h"

namespace strom::server {

using async::Task;
using model::PhysicalTablePath;
using model::TablePath;

namespace {

// Until the coordinator has told of the cluster, a server knows of itself only.
void write_servers(const Services& services, const std::string& listener, proto::MetadataResponse& response) {
  const MetadataCache& cache = services.tablet().metadata;
  std::optional<ServerAddress> coordinator = cache.coordinator();
  std::map<model::ServerId, ServerAddress> servers = cache.servers();
  if (servers.empty()) {
    const ServerAddress self{services.facts().endpoints, std::nullopt};
    servers[services.facts().server] = self;
    if (!coordinator) coordinator = self;
  }
  proto::PbServerNode node;
  if (coordinator && write_for_client(kCoordinatorNode, *coordinator, listener, node)) {
    *response.mutable_coordinator_server() = node;
  }
  for (const auto& [id, address] : servers) {
    proto::PbServerNode tablet;
    if (write_for_client(id, address, listener, tablet)) *response.add_tablet_servers() = std::move(tablet);
  }
}

void write_table(const model::TableInfo& info, const MetadataCache::Buckets& buckets,
                 proto::MetadataResponse& response) {
  proto::PbTableMetadata& message = *response.add_table_metadata();
  write(info, message);
  if (info.is_partitioned()) return;
  for (const auto& [id, bucket] : buckets) write(bucket, *message.add_bucket_metadata());
}

void write_partition(const model::TableInfo& table, const std::string& name, model::PartitionId id,
                     const MetadataCache::Buckets& buckets, proto::MetadataResponse& response) {
  proto::PbPartitionMetadata& message = *response.add_partition_metadata();
  write(table.table_id, name, id, message);
  message.set_bucket_count(table.bucket_count);
  for (const auto& [bucket_id, bucket] : buckets) write(bucket, *message.add_bucket_metadata());
}

bool is_complete(const MetadataCache::Buckets& buckets, const model::TableInfo& table) {
  return buckets.size() == static_cast<size_t>(table.bucket_count);
}

Task<Status> add_table(Services& services, TablePath path, proto::MetadataResponse& response) {
  const MetadataCache::Table* cached = services.tablet().metadata.find(path);
  if (cached != nullptr && (cached->info->is_partitioned() || is_complete(cached->buckets, *cached->info))) {
    write_table(*cached->info, cached->buckets, response);
    co_return Status();
  }
  auto located =
      STROM_CO_TRY(co_await services.home([path](Home& home) { return locate_table(home.metastore, path); }));
  write_table(*located.info, located.buckets, response);
  co_return Status();
}

Task<Status> add_partition(Services& services, PhysicalTablePath path, proto::MetadataResponse& response) {
  const MetadataCache::Table* cached = services.tablet().metadata.find(path.path);
  if (cached != nullptr) {
    auto partition = cached->partitions.find(path.partition.value_or(""));
    if (partition != cached->partitions.end() && is_complete(partition->second.buckets, *cached->info)) {
      write_partition(*cached->info, partition->first, partition->second.id, partition->second.buckets,
                      response);
      co_return Status();
    }
  }
  auto located = STROM_CO_TRY(
      co_await services.home([path](Home& home) { return locate_partition(home.metastore, path); }));
  write_partition(*located.table, path.partition.value_or(""), located.id, located.buckets, response);
  co_return Status();
}

Task<Result<PhysicalTablePath>> resolve(Services& services, std::vector<TablePath> tables,
                                        model::PartitionId id) {
  const MetadataCache& cache = services.tablet().metadata;
  if (auto known = cache.find_partition(id)) {
    const MetadataCache::Table* table = cache.find(known->first);
    if (table != nullptr) co_return PhysicalTablePath{table->info->path, known->second};
  }
  co_return co_await services.home(
      [tables = std::move(tables), id](Home& home) { return find_partition(home.metastore, tables, id); });
}

Task<Result<proto::MetadataResponse>> get_metadata(Services& services, rpc::RequestContext context,
                                                   proto::MetadataRequest request) {
  proto::MetadataResponse response;
  std::vector<TablePath> tables;
  for (const auto& message : request.table_path()) tables.push_back(table_path(message));
  for (const TablePath& path : tables) STROM_CO_TRY(co_await add_table(services, path, response));

  std::set<PhysicalTablePath> partitions;
  for (const auto& message : request.partitions_path()) partitions.insert(physical_path(message));
  for (int64_t id : request.partitions_id()) {
    partitions.insert(STROM_CO_TRY(co_await resolve(services, tables, model::PartitionId(id))));
  }
  for (const PhysicalTablePath& path : partitions)
    STROM_CO_TRY(co_await add_partition(services, path, response));
  write_servers(services, context.connection->listener, response);
  co_return response;
}

}  // namespace

void serve_get_metadata(rpc::Dispatcher& dispatcher, Services& services) {
  rpc::serve<rpc::ApiKey::kGetMetadata>(
      dispatcher, [&services](rpc::RequestContext context, proto::MetadataRequest request) {
        return get_metadata(services, std::move(context), std::move(request));
      });
}

}  // namespace strom::server
