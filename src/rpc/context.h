// What a handler knows about the request it answers, besides the body. Values: they may cross threads, except
// the stop source of the deadline, which belongs to the loop of the connection (take deadline.at to another
// shard).
#pragma once

#include <memory>
#include <string>

#include "async/deadline.h"
#include "base/strong_id.h"
#include "rpc/api.h"

namespace strom::rpc {

using ConnectionId = StrongId<struct ConnectionIdTag, int64_t>;  // of one process, never used twice

// On whose behalf a request runs.
struct Session {
  std::string principal_name = "ANONYMOUS";
  std::string principal_type = "User";
  bool internal = false;  // came from another server of the cluster: no access checks
};

// Where requests come from. Never changes while the connection lives.
struct ConnectionInfo {
  ConnectionId id;
  std::string peer;  // address of the other side, for messages
  std::string
      listener;  // name of the listener that accepted it: metadata answers have the addresses of that name
  Session session;
};

struct RequestContext {
  std::shared_ptr<const ConnectionInfo> connection;
  ApiKey api{};
  ApiVersion version = 0;
  // Ends when the time for a request is over, or its connection or the server goes away.
  async::Deadline deadline;
};

}  // namespace strom::rpc
