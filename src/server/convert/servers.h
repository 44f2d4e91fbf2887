// Servers between messages and the metadata cache: addresses of one listener for clients, of all listeners
// between servers. Pure, any thread. Upstream counterpart: utils/ServerRpcMessageUtils (toServerNode,
// makeUpdateMetadataRequest).
#pragma once

#include <span>
#include <string_view>

#include "base/result.h"
#include "rpc/proto/common.pb.h"
#include "server/metadata_cache.h"

namespace strom::server {

// A coordinator has no number of its own; clients only tell it from others by its role.
inline constexpr model::ServerId kCoordinatorNode{0};

// For a client that came in on `listener`. False when the server does not have that listener: it is left out
// then.
bool write_for_client(model::ServerId id, const ServerAddress& address, std::string_view listener,
                      proto::PbServerNode& message);

// Between servers: all listeners, and the first one's host and port for servers that know no listeners.
void write_for_server(model::ServerId id, std::span<const model::Endpoint> endpoints,
                      proto::PbServerNode& message);

// A message without `listeners` has one endpoint, whose listener is "FLUSS". kInvalidConfig.
Result<ServerAddress> server_address(const proto::PbServerNode& message);

}  // namespace strom::server
