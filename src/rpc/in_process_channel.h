// InProcessChannel: calls a Dispatcher of the same process and shard, with the same messages as over the
// network. Lives on: the dispatcher's shard.
#pragma once

#include <memory>

#include "rpc/channel.h"
#include "rpc/dispatcher.h"

namespace strom::rpc {

class InProcessChannel final : public Channel {
 public:
  // `self` is whom the handlers see as the caller. `dispatcher` outlives the channel.
  InProcessChannel(const Dispatcher& dispatcher, ConnectionInfo self)
      : dispatcher_(dispatcher), self_(std::make_shared<const ConnectionInfo>(std::move(self))) {}

  async::Task<Result<Slice>> call(ApiKey key, ApiVersion version, Payload body,
                                  async::Deadline deadline) override;
  Result<ApiVersion> highest_version(ApiKey key) const override;

 private:
  const Dispatcher& dispatcher_;
  std::shared_ptr<const ConnectionInfo> self_;
};

}  // namespace strom::rpc
