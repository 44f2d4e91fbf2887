// DATABASE_EXISTS.
#include "rpc/proto/database.pb.h"
#include "rpc/typed.h"
#include "server/handlers.h"
#include "server/metadata_reader.h"

namespace strom::server {

namespace {

async::Task<Result<proto::DatabaseExistsResponse>> exists(Services& services,
                                                          proto::DatabaseExistsRequest request) {
  const bool found = STROM_CO_TRY(co_await services.home(
      [name = request.database_name()](Home& home) { return database_exists(home.metastore, name); }));
  proto::DatabaseExistsResponse response;
  response.set_exists(found);
  co_return response;
}

}  // namespace

void serve_database_exists(rpc::Dispatcher& dispatcher, Services& services) {
  rpc::serve<rpc::ApiKey::kDatabaseExists>(
      dispatcher, [&services](rpc::RequestContext, proto::DatabaseExistsRequest request) {
        return exists(services, std::move(request));
      });
}

}  // namespace strom::server
