// GET_TABLE_SCHEMA: one of a table's schemas, or its newest.
#include "rpc/proto/table.pb.h"
#include "rpc/typed.h"
#include "server/convert/names.h"
#include "server/handlers.h"
#include "server/metadata_reader.h"

namespace strom::server {

namespace {

async::Task<Result<proto::GetTableSchemaResponse>> get(Services& services,
                                                       proto::GetTableSchemaRequest request) {
  std::optional<model::SchemaId> id;
  if (request.has_schema_id()) id = model::SchemaId(request.schema_id());
  auto schema = co_await services.home([path = table_path(request.table_path()), id](Home& home) {
    return read_schema(home.metastore, path, id);
  });
  if (!schema.ok()) {
    // Clients know a table that is gone by this code here.
    const bool gone = schema.code() == ErrorCode::kTableNotExist;
    co_return Error{gone ? ErrorCode::kSchemaNotExist : schema.code(), schema.error().message};
  }
  proto::GetTableSchemaResponse response;
  response.set_schema_id(schema->id.value);
  response.set_schema_json(schema->schema.to_json());
  co_return response;
}

}  // namespace

void serve_get_table_schema(rpc::Dispatcher& dispatcher, Services& services) {
  rpc::serve<rpc::ApiKey::kGetTableSchema>(
      dispatcher, [&services](rpc::RequestContext, proto::GetTableSchemaRequest request) {
        return get(services, std::move(request));
      });
}

}  // namespace strom::server
