// LIST_DATABASES: names, or summaries when the request asks for them.
#include "rpc/proto/database.pb.h"
#include "rpc/typed.h"
#include "server/handlers.h"
#include "server/metadata_reader.h"

namespace strom::server {

namespace {

async::Task<Result<proto::PbDatabaseSummary>> summary(metastore::Metastore& store, std::string name) {
  auto database = STROM_CO_TRY(co_await read_database(store, name));
  auto tables = STROM_CO_TRY(co_await list_tables(store, name));
  proto::PbDatabaseSummary message;
  message.set_database_name(name);
  message.set_created_time(database.created.value);
  message.set_table_count(static_cast<int32_t>(tables.size()));
  co_return message;
}

async::Task<Result<proto::ListDatabasesResponse>> summaries(metastore::Metastore& store) {
  proto::ListDatabasesResponse response;
  auto names = STROM_CO_TRY(co_await list_databases(store));
  for (const std::string& name : names) {
    auto one = co_await summary(store, name);
    if (one.code() == ErrorCode::kDatabaseNotExist) continue;  // dropped meanwhile
    if (!one.ok()) co_return one.error();
    *response.add_database_summary() = std::move(*one);
  }
  co_return response;
}

async::Task<Result<proto::ListDatabasesResponse>> list(Services& services,
                                                       proto::ListDatabasesRequest request) {
  if (request.include_summary()) {
    co_return co_await services.home([](Home& home) { return summaries(home.metastore); });
  }
  auto names =
      STROM_CO_TRY(co_await services.home([](Home& home) { return list_databases(home.metastore); }));
  proto::ListDatabasesResponse response;
  for (std::string& name : names) response.add_database_name(std::move(name));
  co_return response;
}

}  // namespace

void serve_list_databases(rpc::Dispatcher& dispatcher, Services& services) {
  rpc::serve<rpc::ApiKey::kListDatabases>(
      dispatcher, [&services](rpc::RequestContext, proto::ListDatabasesRequest request) {
        return list(services, std::move(request));
      });
}

}  // namespace strom::server
