// Endpoint: one listener's address, and the text in which lists of them are configured and published:
//   FLUSS://10.0.0.1:9124,CLIENT://host.example:9123
// Values only, any thread. Upstream counterpart: cluster/Endpoint.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace strom::model {

struct Endpoint {
  std::string listener;  // "CLIENT"
  std::string host;      // name, IPv4, or IPv6 without brackets; empty: all addresses (only to bind)
  int32_t port = 0;      // 0: the system chooses (only to bind)

  std::string to_string() const;  // "CLIENT://host:9123"

  friend bool operator==(const Endpoint&, const Endpoint&) = default;
};

// kInvalidConfig for text that is no list of NAME://host:port and for a name that comes twice. An empty text
// is no endpoints. IPv6 addresses may stand in brackets.
Result<std::vector<Endpoint>> parse_endpoints(std::string_view text);
std::string to_string(std::span<const Endpoint> endpoints);

// The endpoint of a listener, or null.
const Endpoint* find_endpoint(std::span<const Endpoint> endpoints, std::string_view listener);

}  // namespace strom::model
