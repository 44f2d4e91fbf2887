// HttpPort: GET /metrics in Prometheus's text format and GET /health, on a thread pool of its own, away from the shards.
#pragma once

#include <memory>

#include "base/metrics.h"
#include "base/options.h"

namespace strom::app {

class HttpPort {
 public:
  // Listens when there is an address, else does nothing. `metrics` outlives it. kNetwork when the address is taken.
  static Result<std::unique_ptr<HttpPort>> open(const OptionalHostPort& address, const MetricRegistry& metrics);
  ~HttpPort();

 private:
  HttpPort();
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace strom::app
