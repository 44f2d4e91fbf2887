// DROP_TABLE. The table is gone when this is answered; its buckets' data goes afterwards.
#include "rpc/proto/table.pb.h"
#include "rpc/typed.h"
#include "server/convert/names.h"
#include "server/coordinator/submit.h"
#include "server/handlers.h"

namespace strom::server {

namespace {

async::Task<Result<proto::DropTableResponse>> drop(Services& services, proto::DropTableRequest request) {
  STROM_CO_TRY(co_await submit(
      services, coordinator::DropTable{table_path(request.table_path()), request.ignore_if_not_exists()}));
  co_return proto::DropTableResponse();
}

}  // namespace

void serve_drop_table(rpc::Dispatcher& dispatcher, Services& services) {
  rpc::serve<rpc::ApiKey::kDropTable>(dispatcher,
                                      [&services](rpc::RequestContext, proto::DropTableRequest request) {
                                        return drop(services, std::move(request));
                                      });
}

}  // namespace strom::server
