// DROP_PARTITION.
#include "rpc/proto/partition.pb.h"
#include "rpc/typed.h"
#include "server/convert/names.h"
#include "server/coordinator/submit.h"
#include "server/handlers.h"

namespace strom::server {

namespace {

async::Task<Result<proto::DropPartitionResponse>> drop(Services& services,
                                                       proto::DropPartitionRequest request) {
  coordinator::DropPartition event;
  event.path = table_path(request.table_path());
  event.spec = partition_spec(request.partition_spec());
  event.ignore_if_missing = request.ignore_if_not_exists();
  STROM_CO_TRY(co_await submit(services, std::move(event)));
  co_return proto::DropPartitionResponse();
}

}  // namespace

void serve_drop_partition(rpc::Dispatcher& dispatcher, Services& services) {
  rpc::serve<rpc::ApiKey::kDropPartition>(
      dispatcher, [&services](rpc::RequestContext, proto::DropPartitionRequest request) {
        return drop(services, std::move(request));
      });
}

}  // namespace strom::server
