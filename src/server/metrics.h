// Metrics of the tablet server as a whole, with Fluss's names. Set from the home shard.
#pragma once

#include "base/metrics.h"

namespace strom::server {

struct TabletMetrics {
  explicit TabletMetrics(const MetricScope& server)
      : replicas(server.gauge("replicaCount", "Replicas that are online here.")),
        leaders(server.gauge("leaderCount", "Buckets that this server leads.")),
        offline(server.gauge("offlineReplicaCount", "Replicas that could not be opened; the log says why.")),
        writers(server.gauge("writerIdCount", "Idempotent writers that the logs remember.")),
        log_bytes(server.gauge("logSize", "Bytes of all log segments.")),
        disk_used(server.gauge("diskUsageRatio", "Share of the data disk in use, 0 to 1.")),
        disk_locked(
            server.gauge("diskWriteLocked", "1 while clients' writes are refused because the disk is full.")),
        directory_offline(
            server.gauge("dataDirectoryOffline", "1 after a write or sync to the data directory failed.")) {}

  Gauge replicas;
  Gauge leaders;
  Gauge offline;
  Gauge writers;
  Gauge log_bytes;
  Gauge disk_used;
  Gauge disk_locked;
  Gauge directory_offline;
};

}  // namespace strom::server
