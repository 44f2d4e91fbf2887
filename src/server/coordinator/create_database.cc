// CREATE_DATABASE.
#include "rpc/proto/database.pb.h"
#include "rpc/typed.h"
#include "server/coordinator/submit.h"
#include "server/handlers.h"

namespace strom::server {

namespace {

async::Task<Result<proto::CreateDatabaseResponse>> create(Services& services,
                                                          proto::CreateDatabaseRequest request) {
  STROM_CO_TRY(model::validate_database_name(request.database_name()));
  coordinator::CreateDatabase event{request.database_name(), {}, request.ignore_if_exists()};
  if (request.has_database_json()) {
    event.descriptor = STROM_CO_TRY(model::DatabaseDescriptor::parse_json(request.database_json()));
  }
  STROM_CO_TRY(co_await submit(services, std::move(event)));
  co_return proto::CreateDatabaseResponse();
}

}  // namespace

void serve_create_database(rpc::Dispatcher& dispatcher, Services& services) {
  rpc::serve<rpc::ApiKey::kCreateDatabase>(
      dispatcher, [&services](rpc::RequestContext, proto::CreateDatabaseRequest request) {
        return create(services, std::move(request));
      });
}

}  // namespace strom::server
