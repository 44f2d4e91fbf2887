// How servers present themselves in the metadata store, and the two cluster-wide documents about servers and
// settings. Values only, any thread. Written down in docs/formats/nodes.md; their paths are in node_paths.h.
// Upstream counterparts:
// server/zk/data/{CoordinatorAddress,TabletServerRegistration,ServerTags,ConfigJsonSerde}.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "model/endpoint.h"
#include "model/ids.h"

namespace strom::model {

// All parse_json functions here fail with kUnknownServerError.

struct CoordinatorAddress {
  std::string id;
  std::vector<Endpoint> endpoints;

  std::string to_json() const;
  static Result<CoordinatorAddress> parse_json(std::string_view json);
  friend bool operator==(const CoordinatorAddress&, const CoordinatorAddress&) = default;
};

struct TabletServerRegistration {
  std::vector<Endpoint> endpoints;
  Timestamp registered = kNoTimestamp;
  std::optional<std::string> rack = std::nullopt;
  std::optional<double> cpu_cores = std::nullopt;
  std::optional<int64_t> memory_bytes = std::nullopt;

  std::string to_json() const;
  static Result<TabletServerRegistration> parse_json(std::string_view json);
  friend bool operator==(const TabletServerRegistration&, const TabletServerRegistration&) = default;
};

enum class ServerTag : int32_t { kPermanentOffline = 0, kTemporaryOffline = 1 };

struct ServerTags {
  std::map<ServerId, ServerTag> tags;

  std::string to_json() const;
  static Result<ServerTags> parse_json(std::string_view json);
  friend bool operator==(const ServerTags&, const ServerTags&) = default;
};

// The settings that were changed at run time, for all servers. A null value hides what the server's file
// says.
struct DynamicConfig {
  std::vector<std::pair<std::string, std::optional<std::string>>> entries;

  std::string to_json() const;
  static Result<DynamicConfig> parse_json(std::string_view json);
  friend bool operator==(const DynamicConfig&, const DynamicConfig&) = default;
};

// Id counters (table, partition, writer, … ids): 8 bytes, big-endian. A node without data counts from 0.
// The counter holds the next id that was not given yet.
Buffer encode_counter(int64_t value);
Result<int64_t> decode_counter(ByteView bytes);

// The coordinator epoch is a decimal number as text.
std::string encode_coordinator_epoch(CoordinatorEpoch epoch);
Result<CoordinatorEpoch> decode_coordinator_epoch(std::string_view text);

}  // namespace strom::model
