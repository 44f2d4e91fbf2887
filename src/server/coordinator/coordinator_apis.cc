// What the coordinator changes.
#include "server/handlers.h"

namespace strom::server {

void serve_coordinator_apis(rpc::Dispatcher& dispatcher, Services& services) {
  serve_create_database(dispatcher, services);
  serve_alter_database(dispatcher, services);
  serve_drop_database(dispatcher, services);
  serve_create_table(dispatcher, services);
  serve_alter_table(dispatcher, services);
  serve_drop_table(dispatcher, services);
  serve_create_partition(dispatcher, services);
  serve_drop_partition(dispatcher, services);
}

}  // namespace strom::server
