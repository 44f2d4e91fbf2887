// TABLE_EXISTS.
#include "rpc/proto/table.pb.h"
#include "rpc/typed.h"
#include "server/convert/names.h"
#include "server/handlers.h"
#include "server/metadata_reader.h"

namespace strom::server {

namespace {

async::Task<Result<proto::TableExistsResponse>> exists(Services& services,
                                                       proto::TableExistsRequest request) {
  const bool found = STROM_CO_TRY(co_await services.home(
      [path = table_path(request.table_path())](Home& home) { return table_exists(home.metastore, path); }));
  proto::TableExistsResponse response;
  response.set_exists(found);
  co_return response;
}

}  // namespace

void serve_table_exists(rpc::Dispatcher& dispatcher, Services& services) {
  rpc::serve<rpc::ApiKey::kTableExists>(dispatcher,
                                        [&services](rpc::RequestContext, proto::TableExistsRequest request) {
                                          return exists(services, std::move(request));
                                        });
}

}  // namespace strom::server
