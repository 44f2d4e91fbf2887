// LIST_TABLES: names of a database's tables.
#include "rpc/proto/table.pb.h"
#include "rpc/typed.h"
#include "server/handlers.h"
#include "server/metadata_reader.h"

namespace strom::server {

namespace {

async::Task<Result<proto::ListTablesResponse>> list(Services& services, proto::ListTablesRequest request) {
  auto names = STROM_CO_TRY(co_await services.home(
      [database = request.database_name()](Home& home) { return list_tables(home.metastore, database); }));
  proto::ListTablesResponse response;
  for (std::string& name : names) response.add_table_name(std::move(name));
  co_return response;
}

}  // namespace

void serve_list_tables(rpc::Dispatcher& dispatcher, Services& services) {
  rpc::serve<rpc::ApiKey::kListTables>(dispatcher,
                                       [&services](rpc::RequestContext, proto::ListTablesRequest request) {
                                         return list(services, std::move(request));
                                       });
}

}  // namespace strom::server
