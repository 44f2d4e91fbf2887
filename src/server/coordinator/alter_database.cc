// ALTER_DATABASE: custom properties and the comment.
#include "rpc/proto/database.pb.h"
#include "rpc/typed.h"
#include "server/coordinator/submit.h"
#include "server/handlers.h"

namespace strom::server {

namespace {

async::Task<Result<proto::AlterDatabaseResponse>> alter(Services& services,
                                                        proto::AlterDatabaseRequest request) {
  auto changes = STROM_CO_TRY(option_changes(request.config_changes()));
  coordinator::AlterDatabase event;
  event.name = request.database_name();
  event.set = std::move(changes.set);
  event.reset = std::move(changes.reset);
  if (request.has_comment()) event.comment = request.comment();
  event.ignore_if_missing = request.ignore_if_not_exists();
  STROM_CO_TRY(co_await submit(services, std::move(event)));
  co_return proto::AlterDatabaseResponse();
}

}  // namespace

void serve_alter_database(rpc::Dispatcher& dispatcher, Services& services) {
  rpc::serve<rpc::ApiKey::kAlterDatabase>(
      dispatcher, [&services](rpc::RequestContext, proto::AlterDatabaseRequest request) {
        return alter(services, std::move(request));
      });
}

}  // namespace strom::server
