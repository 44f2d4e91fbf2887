// Partitions: create and drop.
#include "coordinator/assignment.h"
#include "coordinator/plan.h"
#include "model/node_paths.h"

namespace strom::coordinator {

using metastore::Operation;
namespace node_paths = model::node_paths;

namespace {

Result<const TableState*> partitioned_table(const State& state, const TablePath& path) {
  const TableState* table = state.find_table(path);
  if (table == nullptr) return make_error(ErrorCode::kTableNotExist, "table {} does not exist", path);
  if (!table->is_partitioned()) {
    return make_error(ErrorCode::kTableNotPartitioned,
                      "table {} has no partition keys, so it has no partitions", path);
  }
  return table;
}

Error partition_exists(const TableState& table, const std::string& name) {
  return make_error(ErrorCode::kPartitionAlreadyExists, "partition {} of table {} exists already", name,
                    table.path);
}

// What a new partition must satisfy besides its name.
Status check_limits(const Settings& settings, const TableState& table, const std::string& name) {
  if (table.partitions.contains(name)) return partition_exists(table, name);
  if (table.partitions.size() >= static_cast<size_t>(settings.max_partition_num)) {
    return make_error(
        ErrorCode::kPartitionMaxNum,
        "table {} has {} partitions, the most that max.partition.num allows; drop some or raise the option",
        table.path, table.partitions.size());
  }
  if (table.registration.bucket_count > settings.max_bucket_num) {
    return make_error(ErrorCode::kBucketMaxNum,
                      "a partition of table {} has {} buckets, but max.bucket.num is {}", table.path,
                      table.registration.bucket_count, settings.max_bucket_num);
  }
  return {};
}

Status check_time(const TableState& table, const model::ResolvedPartition& partition, Timestamp now) {
  const model::TableInfo info = table_info(table);
  if (!info.is_auto_partitioned()) return {};
  auto zone = STROM_TRY(info.options.auto_partition.zone());
  return model::validate_auto_partition_time(info.options.auto_partition, zone, partition, now);
}

struct NewPartition {
  std::string name;
  std::map<BucketId, std::vector<ServerId>> assignment;  // empty: it is there already, and that is fine
};

Result<NewPartition> check(const State& state, const Settings& settings, const TableState& table,
                           const CreatePartition& event, const Input& input) {
  auto resolved = STROM_TRY(model::resolve_partition(event.path, table.registration.partition_keys,
                                                     event.spec, model::PartitionUse::kNew));
  STROM_TRY(check_time(table, resolved, input.now));
  NewPartition made{resolved.name(), {}};
  if (event.ignore_if_exists && table.partitions.contains(made.name)) return made;
  const int32_t replication_factor = table_info(table).options.replication_factor.value_or(1);
  made.assignment = STROM_TRY(
      assign_replicas(table.registration.bucket_count, replication_factor, state.servers, input.random));
  STROM_TRY(check_limits(settings, table, made.name));
  return made;
}

}  // namespace

Plan plan_create_partition(const State& state, const Settings& settings, const CreatePartition& event,
                           const Input& input) {
  Plan plan;
  auto table = partitioned_table(state, event.path);
  auto made =
      table.ok() ? check(state, settings, **table, event, input) : Result<NewPartition>(table.error());
  if (!made.ok()) {
    plan.reply = std::move(made).error();
    return plan;
  }
  if (made->assignment.empty()) return plan;

  const TableId table_id = (*table)->id();
  const PartitionId id(state.next_partition_id);
  PartitionState partition{made->name, {table_id, id, settings.remote_data_dir}, {}};
  model::PartitionAssignment document{table_id, made->assignment};
  plan.writes.push_back(
      Operation::put(std::string(node_paths::kPartitionIdCounter), model::encode_counter(id.value + 1)));
  plan.writes.push_back(Operation::put(node_paths::partition_assignment(id), to_buffer(document.to_json())));
  std::vector<BucketLeadership> leaders;
  for (auto& [bucket_id, replicas] : made->assignment) {
    const TableBucket bucket{table_id, id, bucket_id};
    LeaderAndIsr elected = elect_first(replicas, state.servers, state.epoch);
    plan.writes.push_back(Operation::put(node_paths::leader_and_isr(bucket), to_buffer(elected.to_json())));
    leaders.push_back({{event.path, made->name}, bucket, replicas, elected});
    partition.buckets[bucket_id] = {replicas, std::move(elected)};
  }
  plan.writes.push_back(Operation::create(node_paths::partition(event.path, made->name),
                                          to_buffer(partition.registration.to_json())));
  plan.changes.push_back(SetNextIds{state.next_table_id, id.value + 1});
  plan.changes.push_back(PutPartition{event.path, std::move(partition)});
  MetadataUpdate update;
  update.partitions.push_back({table_id, made->name, id});
  tell_leaders(state, std::move(leaders), std::move(update), plan);
  return plan;
}

Plan plan_drop_partition(const State& state, const DropPartition& event) {
  Plan plan;
  auto table = partitioned_table(state, event.path);
  if (!table.ok()) {
    plan.reply = table.error();
    return plan;
  }
  auto resolved = model::resolve_partition(event.path, (*table)->registration.partition_keys, event.spec,
                                           model::PartitionUse::kExisting);
  if (!resolved.ok()) {
    plan.reply = resolved.error();
    return plan;
  }
  auto found = (*table)->partitions.find(resolved->name());
  if (found == (*table)->partitions.end()) {
    if (!event.ignore_if_missing) {
      plan.reply = make_error(ErrorCode::kPartitionNotExists, "partition {} of table {} does not exist",
                              resolved->qualified_name(), event.path);
    }
    return plan;
  }
  const PartitionState& partition = found->second;
  const PartitionId id = partition.registration.partition_id;
  plan.writes.push_back(Operation::remove_tree(node_paths::partition(event.path, partition.name)));
  plan.changes.push_back(ErasePartition{event.path, partition.name});
  UpdateMetadata news;
  for (const auto& [server, registration] : state.servers) news.servers.push_back(server);
  news.update.dropped_partitions.push_back({(*table)->id(), partition.name, id});
  if (!news.servers.empty()) plan.sends.push_back(std::move(news));
  begin_deletion(state, (*table)->id(), id, partition.buckets, plan);
  return plan;
}

}  // namespace strom::coordinator
