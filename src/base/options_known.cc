#include "base/options_known.h"

#include <algorithm>

#include "base/options_value.h"

namespace strom {
namespace {

struct Alias {
  std::string_view old_key;
  std::string_view key;
};
constexpr Alias kAliases[] = {
    {"coordinator.io-pool.size", "server.io-pool.size"},
};

// Stops the start, unless the value is `unless`.
struct Refused {
  std::string_view key;
  std::string_view unless;
  std::string_view advice;
};
constexpr Refused kRefused[] = {
    {"authorizer.enabled", "false", "access control is not supported yet; allowed is false"},
    {"kafka.enabled", "false", "Kafka listeners are not supported yet; allowed is false"},
    {"datalake.enabled", "false", "lake tables are not supported yet; allowed is false"},
    {"config.providers", "", "values from other places are not supported yet; write the values themselves"},
    {"data.dirs", "", "several data directories are not supported yet; use data.dir"},
    {"remote.data.dirs", "", "several remote directories are not supported yet; use remote.data.dir"},
    {"coordinator.host", "", "this key is out of use; use bind.listeners: FLUSS://host:port"},
    {"coordinator.port", "", "this key is out of use; use bind.listeners: FLUSS://host:port"},
    {"tablet-server.host", "", "this key is out of use; use bind.listeners: FLUSS://host:port"},
    {"tablet-server.port", "", "this key is out of use; use bind.listeners: FLUSS://host:port"},
};

// Keys of Fluss that have no effect here; with `*` at the end, all keys that begin so.
constexpr std::string_view kUnused[] = {
    // Read by clients, by Flink or by tiering jobs, which may share a file with the server.
    "bootstrap.servers",
    "client.*",
    "netty.client.*",
    "lake.tiering.*",
    // Metadata lives in the process.
    "zookeeper.*",
    "recovery.zookeeper.*",
    // Primary-key tables.
    "kv.*",
    "server.buffer.*",
    "coordinator.producer-offsets.*",
    // Lake tables.
    "datalake.*",
    "server.historical-partition.*",
    "netty.server.max-queued-historical-requests",
    // Cold data.
    "remote.data.dirs.*",
    "remote.fs.write-buffer-size",
    "remote.log.*",
    "remote.log-manager.thread-pool-size",
    "server.io.tmpdir",
    // Security: nothing of it acts without a SASL listener or the authorizer, which are refused.
    "acl.notification.expiration-time",
    "authorizer.type",
    "super.users",
    "security.*",
    // Clusters of several servers.
    "coordinator.lifecycle-throttler.*",
    "coordinator.offline-leader.retry-delay",
    "tablet-server.controlled-shutdown.*",
    "tablet-server.advertised-resource.*",
    "log.replica.max-lag-time",
    "log.replica.fetcher-number",
    "log.replica.fetch.*",
    "log.replica.fetch-backoff-interval",
    "log.fetch.max-bytes",
    "log.fetch.max-bytes-for-bucket",
    // Strom's way of working has no use for these.
    "log.file-preallocate",
    "log.replica.write-operation-purge-number",
    "log.replica.fetch-operation-purge-number",
    "netty.server.num-network-threads",
    "netty.server.num-worker-threads",
    "server.background.threads",
    "plugin.classloader.*",
    "metrics.reporters",
    "metrics.reporter.*",
    "kafka.*",
};

bool matches(std::string_view pattern, std::string_view key) {
  if (!pattern.ends_with('*')) return pattern == key;
  return key.starts_with(pattern.substr(0, pattern.size() - 1));
}

// A listener that is not in the map speaks PLAINTEXT, and so may one that is.
Status check_protocols(std::string_view map) {
  if (to_lower(map).find(":sasl") == std::string::npos) return {};
  return make_error(
      ErrorCode::kInvalidConfig,
      "authentication by SASL is not supported yet; allowed is LISTENER:PLAINTEXT, separated by commas");
}

}  // namespace

std::string_view current_option_key(std::string_view key) {
  const auto found = std::ranges::find(kAliases, key, &Alias::old_key);
  return found == std::end(kAliases) ? key : found->key;
}

Status check_supported(std::string_view key, std::string_view value) {
  if (key == "security.protocol.map") return check_protocols(value);
  const auto found = std::ranges::find(kRefused, key, &Refused::key);
  if (found == std::end(kRefused) || to_lower(trim(value)) == found->unless) return {};
  return make_error(ErrorCode::kInvalidConfig, "{}", found->advice);
}

bool is_unused_option(std::string_view key) {
  const bool refused_elsewhere = std::ranges::find(kRefused, key, &Refused::key) != std::end(kRefused);
  return refused_elsewhere ||
         std::ranges::any_of(kUnused, [&](std::string_view pattern) { return matches(pattern, key); });
}

}  // namespace strom
