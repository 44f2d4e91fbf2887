// GET_DATABASE_INFO: comment, properties and times of a database.
#include "rpc/proto/database.pb.h"
#include "rpc/typed.h"
#include "server/handlers.h"
#include "server/metadata_reader.h"

namespace strom::server {

namespace {

async::Task<Result<proto::GetDatabaseInfoResponse>> get(Services& services,
                                                        proto::GetDatabaseInfoRequest request) {
  auto database = STROM_CO_TRY(co_await services.home(
      [name = request.database_name()](Home& home) { return read_database(home.metastore, name); }));
  proto::GetDatabaseInfoResponse response;
  response.set_database_json(database.descriptor.to_json());
  response.set_created_time(database.created.value);
  response.set_modified_time(database.modified.value);
  co_return response;
}

}  // namespace

void serve_get_database_info(rpc::Dispatcher& dispatcher, Services& services) {
  rpc::serve<rpc::ApiKey::kGetDatabaseInfo>(
      dispatcher, [&services](rpc::RequestContext, proto::GetDatabaseInfoRequest request) {
        return get(services, std::move(request));
      });
}

}  // namespace strom::server
