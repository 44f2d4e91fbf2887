// DROP_DATABASE.
#include "rpc/proto/database.pb.h"
#include "rpc/typed.h"
#include "server/coordinator/submit.h"
#include "server/handlers.h"

namespace strom::server {

namespace {

async::Task<Result<proto::DropDatabaseResponse>> drop(Services& services,
                                                      proto::DropDatabaseRequest request) {
  STROM_CO_TRY(co_await submit(
      services,
      coordinator::DropDatabase{request.database_name(), request.ignore_if_not_exists(), request.cascade()}));
  co_return proto::DropDatabaseResponse();
}

}  // namespace

void serve_drop_database(rpc::Dispatcher& dispatcher, Services& services) {
  rpc::serve<rpc::ApiKey::kDropDatabase>(
      dispatcher, [&services](rpc::RequestContext, proto::DropDatabaseRequest request) {
        return drop(services, std::move(request));
      });
}

}  // namespace strom::server
