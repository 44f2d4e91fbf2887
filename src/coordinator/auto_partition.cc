#include "coordinator/auto_partition.h"

#include "base/logging.h"
#include "coordinator/plan.h"

namespace strom::coordinator {

namespace {

model::PartitionSpec spec_of(const TableState& table, const std::string& name) {
  auto resolved = model::ResolvedPartition::from_name(table.registration.partition_keys, name);
  return resolved.ok() ? resolved->spec() : model::PartitionSpec();
}

void add_expired(const TableState& table, const model::AutoPartitionOptions& options,
                 const model::TimeZone& zone, Timestamp now, std::vector<Event>& events) {
  if (options.num_retention < 0) return;
  const std::string oldest = model::auto_partition_value(options, zone, now, -options.num_retention);
  const std::string& key = options.time_key(table.registration.partition_keys);
  for (const auto& [name, partition] : table.partitions) {
    if (name == model::kHistoricalPartition) continue;
    auto resolved = model::ResolvedPartition::from_name(table.registration.partition_keys, name);
    if (!resolved.ok()) continue;
    const std::string* value = resolved->find(key);
    if (value != nullptr && *value < oldest)
      events.push_back(DropPartition{table.path, spec_of(table, name), true});
  }
}

void add_ahead(const TableState& table, const model::AutoPartitionOptions& options,
               const model::TimeZone& zone, Timestamp now, std::vector<Event>& events) {
  if (table.registration.partition_keys.size() != 1) return;
  for (int32_t ahead = 0; ahead < options.num_precreate; ++ahead) {
    const std::string name = model::auto_partition_value(options, zone, now, ahead);
    if (!table.partitions.contains(name))
      events.push_back(CreatePartition{table.path, spec_of(table, name), true});
  }
}

}  // namespace

std::vector<Event> auto_partition_events(const TableState& table, Timestamp now) {
  std::vector<Event> events;
  if (!table.is_partitioned()) return events;
  const model::TableInfo info = table_info(table);
  if (!info.is_auto_partitioned()) return events;
  auto zone = info.options.auto_partition.zone();
  if (!zone.ok()) {
    log_warn("coordinator", "no partitions are made for a table table={} reason={}", table.path,
             zone.error().message);
    return events;
  }
  add_expired(table, info.options.auto_partition, *zone, now, events);
  add_ahead(table, info.options.auto_partition, *zone, now, events);
  return events;
}

std::vector<Event> auto_partition_events(const State& state, Timestamp now) {
  std::vector<Event> events;
  for (const auto& [path, table] : state.tables) {
    for (Event& event : auto_partition_events(table, now)) events.push_back(std::move(event));
  }
  return events;
}

}  // namespace strom::coordinator
