// CREATE_TABLE.
#include "rpc/proto/table.pb.h"
#include "rpc/typed.h"
#include "server/convert/names.h"
#include "server/coordinator/submit.h"
#include "server/handlers.h"

namespace strom::server {

namespace {

async::Task<Result<proto::CreateTableResponse>> create(Services& services,
                                                       proto::CreateTableRequest request) {
  coordinator::CreateTable event;
  event.path = table_path(request.table_path());
  STROM_CO_TRY(event.path.validate());
  event.descriptor = STROM_CO_TRY(model::TableDescriptor::parse_json(request.table_json()));
  event.ignore_if_exists = request.ignore_if_exists();
  STROM_CO_TRY(co_await submit(services, std::move(event)));
  co_return proto::CreateTableResponse();
}

}  // namespace

void serve_create_table(rpc::Dispatcher& dispatcher, Services& services) {
  rpc::serve<rpc::ApiKey::kCreateTable>(dispatcher,
                                        [&services](rpc::RequestContext, proto::CreateTableRequest request) {
                                          return create(services, std::move(request));
                                        });
}

}  // namespace strom::server
