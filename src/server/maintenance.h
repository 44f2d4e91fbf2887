// Maintenance: what a tablet server does by the clock: watermarks and recovery points are written down,
// silent writers are forgotten, old segments deleted, the disk watched, metrics taken. Lives on: the home
// shard; reaches the others through the shards. Upstream counterpart: the schedulers of LogManager and
// ReplicaManager.
#pragma once

#include "base/metrics.h"
#include "base/options.h"
#include "server/context.h"
#include "server/disk_guard.h"
#include "server/metrics.h"

namespace strom::server {

class Maintenance {
 public:
  // All outlive it.
  Maintenance(const Services& services, log::LogDirectory& directory, const Options& options,
              MetricRegistry& metrics);
  void start();
  async::Task<void> stop() { return scope_.stop(); }

 private:
  using Round = async::Task<void> (Maintenance::*)();
  async::Task<void> repeat(async::Duration interval, Round round);
  async::Task<void> write_watermarks();
  async::Task<void> write_recovery_points();
  async::Task<void> expire_writers();
  async::Task<void> expire_segments();
  async::Task<void> look_at_disk();
  async::Task<void> sample_metrics();

  const Services& services_;
  log::LogDirectory& directory_;
  const Options& options_;
  MetricRegistry& metrics_;
  TabletMetrics tablet_metrics_;
  DiskGuard disk_guard_;
  async::TaskScope scope_;
};

}  // namespace strom::server
