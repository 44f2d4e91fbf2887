// Channel: the way to a server. The same messages go through all of them: to this process (InProcessChannel),
// over a connection (TcpChannel), also over a simulated one. Calls with messages: rpc/typed.h. Lives on: one
// loop. Upstream counterpart: rpc/RpcClient, GatewayClientProxy.
#pragma once

#include "async/deadline.h"
#include "async/task.h"
#include "rpc/api.h"
#include "rpc/response.h"

namespace strom::rpc {

class Channel {
 public:
  virtual ~Channel() = default;

  // The body of the answer. The error that the server answered; kNetwork when the connection is gone (the
  // request may have been executed); kRequestTimeOut when the deadline passed; kUnsupportedVersion, without a
  // request, when the server does not serve that version. The channel outlives the call.
  virtual async::Task<Result<Slice>> call(ApiKey key, ApiVersion version, Payload body,
                                          async::Deadline deadline) = 0;

  // The highest version that both sides know, or kUnsupportedVersion.
  virtual Result<ApiVersion> highest_version(ApiKey key) const = 0;
};

}  // namespace strom::rpc
