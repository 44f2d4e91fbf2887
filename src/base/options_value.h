// The types of option values and the one place that turns their text into them. Pure; any thread.
// Durations and memory sizes are read by base/quantity.h. Upstream counterpart: config/ConfigOption,
// cluster/Endpoint.
#pragma once

#include <chrono>
#include <compare>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"

namespace strom {

struct HostPort {
  std::string host;
  uint16_t port = 0;
  friend bool operator==(const HostPort&, const HostPort&) = default;
};

// One entry of bind.listeners: `NAME://host:port`. Port 0 takes a free port.
struct Listener {
  std::string name;
  HostPort address;
  friend bool operator==(const Listener&, const Listener&) = default;
};

// A number of bytes, written `10mb` in options.
struct MemorySize {
  int64_t bytes = 0;
  friend auto operator<=>(const MemorySize&, const MemorySize&) = default;
};

using Listeners = std::vector<Listener>;
using OptionalHostPort = std::optional<HostPort>;  // absent when the text is empty

using OptionValue = std::variant<bool, int32_t, int64_t, double, std::string, std::chrono::milliseconds,
                                 MemorySize, Listeners, OptionalHostPort>;

// What a value may be beyond its type: a closed range (milliseconds for durations, bytes for sizes), or one
// of some words.
struct Constraint {
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
  std::string_view one_of;  // "paimon|iceberg": these words, in any case; the empty text stands for "not set"
};

// What a reader may write, e.g. "an integer from 1 to 1000". `kind` is any value of the type.
std::string allowed_values(const OptionValue& kind, const Constraint& constraint);

// Reads `text` as the type that `kind` holds. The error says what is allowed; the caller adds the key.
Result<OptionValue> parse_option_value(std::string_view text, const OptionValue& kind,
                                       const Constraint& constraint);

// `host:port`; the host may be in brackets: `[::1]:80`.
Result<HostPort> parse_host_port(std::string_view text);

// `NAME://host:port,NAME2://host2:port2`; each name once.
Result<Listeners> parse_listeners(std::string_view text);

std::string_view trim(std::string_view text);
std::string to_lower(std::string_view text);  // ASCII

}  // namespace strom
