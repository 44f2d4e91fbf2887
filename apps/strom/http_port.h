// HttpPort: GET /metrics in Prometheus's text format, and GET /health: 200, or 503 with the reason. On a
// thread pool of its own, away from the shards.
#pragma once

#include <functional>
#include <memory>

#include "base/metrics.h"
#include "base/options.h"

namespace strom::app {

class HttpPort {
 public:
  // Listens when there is an address, else does nothing. `metrics` outlives it; `health` is asked on threads
  // of the port. kNetwork when the address is taken.
  static Result<std::unique_ptr<HttpPort>> open(const OptionalHostPort& address,
                                                const MetricRegistry& metrics,
                                                std::function<Status()> health);
  ~HttpPort();

 private:
  HttpPort();
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace strom::app
