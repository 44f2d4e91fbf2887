// Registers the handlers of this server with a shard's dispatcher: one function per API, each in a file of
// its own. Which functions are called decides what the server advertises. `services` outlives the dispatcher.
#pragma once

#include "rpc/dispatcher.h"
#include "server/context.h"

namespace strom::server {

// --- data, in tablet/
void serve_produce_log(rpc::Dispatcher& dispatcher, Services& services);
void serve_fetch_log(rpc::Dispatcher& dispatcher, Services& services);
void serve_list_offsets(rpc::Dispatcher& dispatcher, Services& services);
void serve_limit_scan(rpc::Dispatcher& dispatcher, Services& services);
void serve_get_table_stats(rpc::Dispatcher& dispatcher, Services& services);
void serve_init_writer(rpc::Dispatcher& dispatcher, Services& services);

// --- orders of the coordinator, in tablet/
void serve_notify_leader_and_isr(rpc::Dispatcher& dispatcher, Services& services);
void serve_stop_replica(rpc::Dispatcher& dispatcher, Services& services);
void serve_update_metadata(rpc::Dispatcher& dispatcher, Services& services);

// --- what every server answers from the metadata, in admin/
void serve_get_metadata(rpc::Dispatcher& dispatcher, Services& services);
void serve_list_databases(rpc::Dispatcher& dispatcher, Services& services);
void serve_database_exists(rpc::Dispatcher& dispatcher, Services& services);
void serve_get_database_info(rpc::Dispatcher& dispatcher, Services& services);
void serve_list_tables(rpc::Dispatcher& dispatcher, Services& services);
void serve_table_exists(rpc::Dispatcher& dispatcher, Services& services);
void serve_get_table_info(rpc::Dispatcher& dispatcher, Services& services);
void serve_get_table_schema(rpc::Dispatcher& dispatcher, Services& services);
void serve_list_partition_infos(rpc::Dispatcher& dispatcher, Services& services);
void serve_get_file_system_security_token(rpc::Dispatcher& dispatcher, Services& services);

// --- what the coordinator changes, in coordinator/
void serve_create_database(rpc::Dispatcher& dispatcher, Services& services);
void serve_alter_database(rpc::Dispatcher& dispatcher, Services& services);
void serve_drop_database(rpc::Dispatcher& dispatcher, Services& services);
void serve_create_table(rpc::Dispatcher& dispatcher, Services& services);
void serve_alter_table(rpc::Dispatcher& dispatcher, Services& services);
void serve_drop_table(rpc::Dispatcher& dispatcher, Services& services);
void serve_create_partition(rpc::Dispatcher& dispatcher, Services& services);
void serve_drop_partition(rpc::Dispatcher& dispatcher, Services& services);

// All of the above, by role.
void serve_tablet_apis(rpc::Dispatcher& dispatcher, Services& services);
void serve_admin_apis(rpc::Dispatcher& dispatcher, Services& services);
void serve_coordinator_apis(rpc::Dispatcher& dispatcher, Services& services);

}  // namespace strom::server
