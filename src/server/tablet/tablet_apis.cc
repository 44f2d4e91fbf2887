#include "server/handlers.h"

namespace strom::server {

void serve_tablet_apis(rpc::Dispatcher& dispatcher, Services& services) {
  serve_produce_log(dispatcher, services);
  serve_fetch_log(dispatcher, services);
  serve_list_offsets(dispatcher, services);
  serve_limit_scan(dispatcher, services);
  serve_get_table_stats(dispatcher, services);
  serve_init_writer(dispatcher, services);
  serve_notify_leader_and_isr(dispatcher, services);
  serve_stop_replica(dispatcher, services);
  serve_update_metadata(dispatcher, services);
}

}  // namespace strom::server
