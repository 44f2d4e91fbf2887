// CREATE_PARTITION.
#include "rpc/proto/partition.pb.h"
#include "rpc/typed.h"
#include "server/convert/names.h"
#include "server/coordinator/submit.h"
#include "server/handlers.h"

namespace strom::server {

namespace {

async::Task<Result<proto::CreatePartitionResponse>> create(Services& services,
                                                           proto::CreatePartitionRequest request) {
  coordinator::CreatePartition event;
  event.path = table_path(request.table_path());
  event.spec = partition_spec(request.partition_spec());
  event.ignore_if_exists =
      request.ignore_if_not_exists();  // the field's name says the opposite of what it means
  STROM_CO_TRY(co_await submit(services, std::move(event)));
  co_return proto::CreatePartitionResponse();
}

}  // namespace

void serve_create_partition(rpc::Dispatcher& dispatcher, Services& services) {
  rpc::serve<rpc::ApiKey::kCreatePartition>(
      dispatcher, [&services](rpc::RequestContext, proto::CreatePartitionRequest request) {
        return create(services, std::move(request));
      });
}

}  // namespace strom::server
