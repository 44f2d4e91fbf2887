// Dispatcher: from a request's API key to the function that answers it. Answers API_VERSIONS from what is
// registered, and AUTHENTICATE of a listener without authentication. Lives on: one shard. Handlers are
// registered before the first request. Upstream counterpart: rpc/protocol/ApiManager and RpcServiceBase.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "async/task.h"
#include "rpc/context.h"
#include "rpc/response.h"

namespace strom::rpc {

// Takes its request by value. Runs up to its first wait before the connection's next request is started.
using Handler = std::function<async::Task<Response>(RequestContext context, Slice body)>;

// As it stands in ApiVersions. A server that is both says nothing, and clients skip their check.
enum class ServerType : int32_t { kCoordinator = 1, kTablet = 2 };

class Dispatcher {
 public:
  explicit Dispatcher(std::optional<ServerType> server_type = std::nullopt);
  Dispatcher(const Dispatcher&) = delete;
  Dispatcher& operator=(const Dispatcher&) = delete;

  // Serves `key` in all versions of the API table. Once per key; not for API_VERSIONS and AUTHENTICATE.
  void on(ApiKey key, Handler handler);
  bool serves(ApiKey key) const;

  // A key that is not served, or a version outside of the table's: error kUnsupportedVersion.
  async::Task<Response> dispatch(RequestContext context, Slice body) const;

 private:
  Response api_versions(const Slice& body) const;

  std::optional<ServerType> server_type_;
  std::vector<Handler> handlers_;  // by row of the API table
};

}  // namespace strom::rpc
