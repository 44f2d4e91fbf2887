// AsioNetwork: TCP. Reads and writes are tried at once and only wait for readiness when the socket says so.
#pragma once

#include "async/net.h"

namespace strom::async {

class AsioNetwork final : public Network {
 public:
  // All loops given to it are AsioLoops.
  Result<std::unique_ptr<Listener>> listen(EventLoop& loop, const Address& address) override;
  Task<Result<std::unique_ptr<Connection>>> connect(EventLoop& loop, Address address,
                                                    Deadline deadline) override;
};

}  // namespace strom::async
