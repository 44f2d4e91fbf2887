#include "server/maintenance.h"

#include "base/logging.h"

namespace strom::server {

using async::Task;

namespace {

constexpr async::Duration kMetricSampleInterval = std::chrono::seconds(5);

Task<bool> flush(TabletShard& shard) {
  co_await shard.replicas.flush();
  co_return true;
}

Task<bool> expire(TabletShard& shard, model::Timestamp now, bool roll_active) {
  co_await shard.replicas.expire_segments(now, roll_active);
  co_return true;
}

void warn(std::string_view what, const Status& status) {
  if (!status.ok()) log_warn("server", "{} failed reason={}", what, status.error().message);
}

}  // namespace

Maintenance::Maintenance(const Services& services, log::LogDirectory& directory, const Options& options,
                         MetricRegistry& metrics)
    : services_(services),
      directory_(directory),
      options_(options),
      metrics_(metrics),
      tablet_metrics_(
          metrics.scope("fluss_tabletserver", {{"server_id", fmt::format("{}", services.facts().server)}})),
      disk_guard_(options.get(option::kDiskWriteLimitRatio), options.get(option::kDiskWriteRecoverRatio)),
      scope_(services.loop()) {}

void Maintenance::start() {
  scope_.spawn(
      repeat(options_.get(option::kHighWatermarkCheckpointInterval), &Maintenance::write_watermarks));
  scope_.spawn(
      repeat(options_.get(option::kLogFlushOffsetCheckpointInterval), &Maintenance::write_recovery_points));
  scope_.spawn(repeat(options_.get(option::kWriterIdExpirationCheckInterval), &Maintenance::expire_writers));
  scope_.spawn(repeat(options_.get(option::kLogRetentionCheckInterval), &Maintenance::expire_segments));
  scope_.spawn(repeat(options_.get(option::kDiskCheckInterval), &Maintenance::look_at_disk));
  scope_.spawn(look_at_disk());
  scope_.spawn(repeat(kMetricSampleInterval, &Maintenance::sample_metrics));
}

Task<void> Maintenance::repeat(async::Duration interval, Round round) {
  while (co_await async::sleep_for(scope_.loop(), interval, &scope_.stop_source()) ==
         async::WaitResult::kTimeout) {
    co_await (this->*round)();
  }
}

Task<void> Maintenance::write_watermarks() {
  for (size_t shard = 0; shard < services_.tablet_shards(); ++shard) {
    co_await services_.tablet(
        shard,
        [](TabletShard& tablet) {
          tablet.replicas.checkpoint_high_watermarks();
          return true;
        },
        false);
  }
  warn("writing the high watermarks", co_await directory_.checkpoint_high_watermarks(scope_.loop()));
}

Task<void> Maintenance::write_recovery_points() {
  for (size_t shard = 0; shard < services_.tablet_shards(); ++shard) {
    co_await services_.tablet(shard, [](TabletShard& tablet) { return flush(tablet); }, false);
  }
  warn("writing the recovery points", co_await directory_.checkpoint_recovery_points(scope_.loop()));
}

Task<void> Maintenance::expire_writers() {
  const model::Timestamp now = services_.now();
  for (size_t shard = 0; shard < services_.tablet_shards(); ++shard) {
    co_await services_.tablet(
        shard,
        [now](TabletShard& tablet) {
          tablet.replicas.expire_writers(now);
          return true;
        },
        false);
  }
}

Task<void> Maintenance::expire_segments() {
  const model::Timestamp now = services_.now();
  const bool roll = options_.get(option::kLogRetentionRollActiveSegment);
  for (size_t shard = 0; shard < services_.tablet_shards(); ++shard) {
    co_await services_.tablet(
        shard, [now, roll](TabletShard& tablet) { return expire(tablet, now, roll); }, false);
  }
}

Task<void> Maintenance::look_at_disk() {
  async::Disk& disk = services_.runtime().disk();
  const std::string path = directory_.path();
  auto space = co_await async::run_on(services_.runtime().pool(), scope_.loop(),
                                      [&disk, path] { return disk.space(path); });
  if (!space.ok()) {
    log_warn("server", "can't look at the disk reason={}", space.error().message);
    co_return;
  }
  const bool changed = disk_guard_.update(*space);
  const bool locked = disk_guard_.locked();
  tablet_metrics_.disk_used.set(disk_guard_.used());
  tablet_metrics_.disk_locked.set(locked ? 1 : 0);
  if (!changed) co_return;
  log_warn("server", "disk in use={:.3f} writes_refused={} data={}", disk_guard_.used(), locked, path);
  for (size_t shard = 0; shard < services_.tablet_shards(); ++shard) {
    co_await services_.tablet(
        shard,
        [locked](TabletShard& tablet) {
          tablet.disk_locked = locked;
          return true;
        },
        false);
  }
}

Task<void> Maintenance::sample_metrics() {
  replica::ReplicaCounts sum;
  for (size_t shard = 0; shard < services_.tablet_shards(); ++shard) {
    auto counts = co_await services_.tablet(
        shard, [](TabletShard& tablet) { return tablet.replicas.counts(); }, replica::ReplicaCounts());
    sum.online += counts.online;
    sum.leaders += counts.leaders;
    sum.offline += counts.offline;
    sum.writers += counts.writers;
    sum.log_bytes += counts.log_bytes;
  }
  tablet_metrics_.replicas.set(static_cast<double>(sum.online));
  tablet_metrics_.leaders.set(static_cast<double>(sum.leaders));
  tablet_metrics_.offline.set(static_cast<double>(sum.offline));
  tablet_metrics_.writers.set(static_cast<double>(sum.writers));
  tablet_metrics_.log_bytes.set(static_cast<double>(sum.log_bytes));
  tablet_metrics_.directory_offline.set(directory_.offline() ? 1 : 0);
  metrics_.sample();
}

}  // namespace strom::server
