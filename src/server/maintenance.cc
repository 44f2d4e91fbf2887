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

void warn(std::string_view what, const Status& status) {
  if (!status.ok()) log_warn("server", "{} failed reason={}", what, status.error().message);
}

}  // namespace

Maintenance::Maintenance(const Services& services, log::LogDirectory& directory, const Options& options,
                         MetricRegistry& metrics)
    : services_(services), directory_(directory), options_(options), metrics_(metrics), scope_(services.loop()) {}

void Maintenance::start() {
  scope_.spawn(repeat(options_.get(option::kHighWatermarkCheckpointInterval), &Maintenance::write_watermarks));
  scope_.spawn(repeat(options_.get(option::kLogFlushOffsetCheckpointInterval), &Maintenance::write_recovery_points));
  scope_.spawn(repeat(options_.get(option::kWriterIdExpirationCheckInterval), &Maintenance::expire_writers));
  scope_.spawn(repeat(kMetricSampleInterval, &Maintenance::sample_metrics));
}

Task<void> Maintenance::repeat(async::Duration interval, Round round) {
  while (co_await async::sleep_for(scope_.loop(), interval, &scope_.stop_source()) == async::WaitResult::kTimeout) {
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

Task<void> Maintenance::sample_metrics() {
  metrics_.sample();
  co_return;
}

}  // namespace strom::server
