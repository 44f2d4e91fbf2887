#include "rpc/metrics.h"

#include <array>

namespace strom::rpc {
namespace {

// Fluss names six kinds of requests; the last group has all others.
constexpr std::array kGroupNames = {"produceLog",       "putKv",        "lookup",   "fetchLogClient",
                                    "fetchLogFollower", "prefixLookup", "metadata", "other"};

size_t group_of(int16_t api_key, bool internal) {
  switch (static_cast<ApiKey>(api_key)) {
    case ApiKey::kProduceLog:
      return 0;
    case ApiKey::kPutKv:
      return 1;
    case ApiKey::kLookup:
      return 2;
    case ApiKey::kFetchLog:
      return internal ? 4 : 3;
    case ApiKey::kPrefixLookup:
      return 5;
    case ApiKey::kGetMetadata:
      return 6;
    default:
      return 7;
  }
}

}  // namespace

RequestMetrics::RequestMetrics(const MetricScope& scope)
    : requests(scope.rate("requestsPerSecond", "requests that arrived")),
      errors(scope.rate("errorsPerSecond", "requests answered with an error for the whole request")),
      bytes(scope.distribution("requestBytes", "size of a request's body")),
      queue_ms(scope.distribution("requestQueueTimeMs", "wait for memory before a request is read")),
      process_ms(scope.distribution("requestProcessTimeMs", "time from a request's start to its answer")),
      total_ms(scope.distribution("totalTimeMs", "time from a request's arrival to its answer")) {}

RpcMetrics::RpcMetrics() : groups_(kGroupNames.size()) {}

RpcMetrics::RpcMetrics(const MetricScope& server) {
  MetricScope network = server.child("network");
  connections = network.gauge("connections", "open connections of clients and servers");
  requests_in_progress =
      network.gauge("requestsInProgress", "requests that were started and not yet answered");
  bytes_in = network.rate("bytesInPerSecond", "bytes of request frames");
  bytes_out = network.rate("bytesOutPerSecond", "bytes of response frames");
  for (const char* name : kGroupNames) groups_.emplace_back(server.child("request", {{"request", name}}));
}

const RequestMetrics& RpcMetrics::of(int16_t api_key, bool internal) const {
  return groups_[group_of(api_key, internal)];
}

}  // namespace strom::rpc
