#include "server/convert/servers.h"

namespace strom::server {

bool write_for_client(model::ServerId id, const ServerAddress& address, std::string_view listener,
                      proto::PbServerNode& message) {
  const model::Endpoint* endpoint = model::find_endpoint(address.endpoints, listener);
  if (endpoint == nullptr) return false;
  message.set_node_id(id.value);
  message.set_host(endpoint->host);
  message.set_port(endpoint->port);
  if (address.rack) message.set_rack(*address.rack);
  return true;
}

void write_for_server(model::ServerId id, std::span<const model::Endpoint> endpoints,
                      proto::PbServerNode& message) {
  message.set_node_id(id.value);
  message.set_host(endpoints.empty() ? std::string() : endpoints.front().host);
  message.set_port(endpoints.empty() ? 0 : endpoints.front().port);
  message.set_listeners(model::to_string(endpoints));
}

Result<ServerAddress> server_address(const proto::PbServerNode& message) {
  ServerAddress address;
  if (message.has_rack()) address.rack = message.rack();
  if (message.has_listeners()) {
    address.endpoints = STROM_TRY(model::parse_endpoints(message.listeners()));
  } else {
    address.endpoints.push_back({"FLUSS", message.host(), message.port()});
  }
  return address;
}

}  // namespace strom::server
