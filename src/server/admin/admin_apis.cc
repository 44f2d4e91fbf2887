// What every server answers, whatever its role.
#include "server/handlers.h"

namespace strom::server {

void serve_admin_apis(rpc::Dispatcher& dispatcher, Services& services) {
  serve_get_metadata(dispatcher, services);
  serve_list_databases(dispatcher, services);
  serve_database_exists(dispatcher, services);
  serve_get_database_info(dispatcher, services);
  serve_list_tables(dispatcher, services);
  serve_table_exists(dispatcher, services);
  serve_get_table_info(dispatcher, services);
  serve_get_table_schema(dispatcher, services);
  serve_list_partition_infos(dispatcher, services);
  serve_get_file_system_security_token(dispatcher, services);
}

}  // namespace strom::server
