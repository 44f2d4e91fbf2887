// GET_TABLE_INFO: a table's description with every stored property, read from the store: a table is found as
// soon as it is created, before the caches have heard of it.
#include "rpc/proto/table.pb.h"
#include "rpc/typed.h"
#include "server/convert/names.h"
#include "server/handlers.h"
#include "server/metadata_reader.h"

namespace strom::server {

namespace {

async::Task<Result<proto::GetTableInfoResponse>> get(Services& services, proto::GetTableInfoRequest request) {
  auto table = STROM_CO_TRY(co_await services.home(
      [path = table_path(request.table_path())](Home& home) { return read_table(home.metastore, path); }));
  proto::GetTableInfoResponse response;
  response.set_table_id(table->table_id.value);
  response.set_schema_id(table->schema_id.value);
  response.set_table_json(table->descriptor().to_json());
  response.set_created_time(table->created.value);
  response.set_modified_time(table->modified.value);
  response.set_remote_data_dir(table->remote_data_dir.value_or(services.facts().remote_data_dir));
  co_return response;
}

}  // namespace

void serve_get_table_info(rpc::Dispatcher& dispatcher, Services& services) {
  rpc::serve<rpc::ApiKey::kGetTableInfo>(
      dispatcher, [&services](rpc::RequestContext, proto::GetTableInfoRequest request) {
        return get(services, std::move(request));
      });
}

}  // namespace strom::server
