// LIST_PARTITION_INFOS: a table's partitions, all or those that match some values.
#include "model/partition.h"
#include "rpc/proto/partition.pb.h"
#include "rpc/typed.h"
#include "server/convert/names.h"
#include "server/handlers.h"
#include "server/metadata_reader.h"

namespace strom::server {

namespace {

struct Listing {
  std::shared_ptr<const model::TableInfo> table;
  std::map<std::string, model::PartitionRegistration> partitions;
};

async::Task<Result<Listing>> read_listing(metastore::Metastore& store, model::TablePath path) {
  Listing listing;
  listing.table = STROM_CO_TRY(co_await read_table(store, path));
  if (!listing.table->is_partitioned()) {
    co_return make_error(ErrorCode::kTableNotPartitioned,
                         "table {} has no partition keys, so it has no partitions", path);
  }
  listing.partitions = STROM_CO_TRY(co_await read_partitions(store, path));
  co_return listing;
}

async::Task<Result<proto::ListPartitionInfosResponse>> list(Services& services,
                                                            proto::ListPartitionInfosRequest request) {
  auto listing = STROM_CO_TRY(co_await services.home(
      [path = table_path(request.table_path())](Home& home) { return read_listing(home.metastore, path); }));
  const model::TableInfo& table = *listing.table;
  const model::PartitionSpec filter = partition_spec(request.partial_partition_spec());
  Status valid = model::validate_partition_filter(table.path, table.partition_keys, filter);
  // Clients know a wrong key here by this code.
  if (!valid.ok()) co_return Error{ErrorCode::kUnknownServerError, valid.error().message};

  proto::ListPartitionInfosResponse response;
  if (request.include_system_partitions()) response.set_system_partitions_included(true);
  for (const auto& [name, registration] : listing.partitions) {
    if (name == model::kHistoricalPartition && !request.include_system_partitions()) continue;
    auto partition = STROM_CO_TRY(model::ResolvedPartition::from_name(table.partition_keys, name));
    if (!partition.matches(filter)) continue;
    proto::PbPartitionInfo& message = *response.add_partitions_info();
    message.set_partition_id(registration.partition_id.value);
    write(partition.spec(), *message.mutable_partition_spec());
    message.set_remote_data_dir(registration.remote_data_dir.value_or(services.facts().remote_data_dir));
    message.set_bucket_count(table.bucket_count);
  }
  co_return response;
}

}  // namespace

void serve_list_partition_infos(rpc::Dispatcher& dispatcher, Services& services) {
  rpc::serve<rpc::ApiKey::kListPartitionInfos>(
      dispatcher, [&services](rpc::RequestContext, proto::ListPartitionInfosRequest request) {
        return list(services, std::move(request));
      });
}

}  // namespace strom::server
