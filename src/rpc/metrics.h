// Metrics of the request layer, with Fluss's names. Any thread.
#pragma once

#include <vector>

#include "base/metrics.h"
#include "rpc/api.h"

namespace strom::rpc {

struct RequestMetrics {
  RequestMetrics() = default;
  explicit RequestMetrics(const MetricScope& scope);
  Rate requests;
  Rate errors;
  Distribution bytes;
  Distribution queue_ms;    // from the frame's header to the start of the handler
  Distribution process_ms;  // in the handler
  Distribution total_ms;    // both
};

struct RpcMetrics {
  // Counts for nobody.
  RpcMetrics();
  // `server`: the scope of a tablet server, e.g. fluss_tabletserver.
  explicit RpcMetrics(const MetricScope& server);

  const RequestMetrics& of(int16_t api_key, bool internal) const;

  Gauge connections;
  Gauge requests_in_progress;
  Rate bytes_in;
  Rate bytes_out;

 private:
  std::vector<RequestMetrics> groups_;
};

}  // namespace strom::rpc
