// The API table: key, name, versions, server role and kind of every request of the protocol, from api.inc.
// Which keys a server advertises is decided by its Dispatcher's registrations, not here. Any thread. Format:
// docs/formats/rpc.md. Upstream counterpart: rpc/protocol/ApiKeys.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include <fmt/format.h>

namespace strom::rpc {

// A number outside of this list can arrive in a frame; find_api tells.
enum class ApiKey : int16_t {
#define STROM_API(enumerator, key, ...) enumerator = key,
#include "rpc/api.inc"
#undef STROM_API
};

using ApiVersion = int16_t;

enum class ServedBy { kCoordinator, kTablet, kBoth };

enum class ApiKind {
  kHandshake,  // allowed before authentication, answered by the dispatcher
  kAdmin,      // metadata of databases, tables and the cluster
  kRead,       // data out; may wait
  kWrite,      // data in; may wait for replicas
  kControl,    // between servers, or from the tiering job
};

struct ApiRow {
  ApiKey key;
  std::string_view name;  // as in Fluss, e.g. "PRODUCE_LOG"
  ApiVersion min_version;
  ApiVersion max_version;
  ServedBy served_by;
  ApiKind kind;
};

// All rows, by ascending key.
std::span<const ApiRow> api_table();

// The row of a raw key, or nullptr.
const ApiRow* find_api(int16_t key);
const ApiRow& api_row(ApiKey key);

// "PRODUCE_LOG", or "UNKNOWN" for a key without a row.
std::string_view api_name(int16_t key);
inline std::string_view api_name(ApiKey key) { return api_name(static_cast<int16_t>(key)); }

}  // namespace strom::rpc

template <>
struct fmt::formatter<strom::rpc::ApiKey> : fmt::formatter<std::string_view> {
  auto format(strom::rpc::ApiKey key, fmt::format_context& ctx) const {
    return fmt::format_to(ctx.out(), "{}({})", strom::rpc::api_name(key), static_cast<int16_t>(key));
  }
};
