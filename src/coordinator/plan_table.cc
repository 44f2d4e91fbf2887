// Tables: create and drop.
#include "coordinator/assignment.h"
#include "coordinator/plan.h"
#include "coordinator/validation.h"
#include "model/node_paths.h"

namespace strom::coordinator {

using metastore::Operation;
namespace node_paths = model::node_paths;

namespace {

Result<model::TableDescriptor> check_descriptor(const Settings& settings, const CreateTable& event) {
  STROM_TRY(event.path.validate());
  const bool has_key = event.descriptor.has_primary_key();
  if (!(has_key ? settings.allow_kv_tables : settings.allow_log_tables)) {
    return make_error(
        ErrorCode::kInvalidTable, "{} tables can't be created here: the server's option {} is false",
        has_key ? "primary-key" : "log", has_key ? "allow.create.kv.tables" : "allow.create.log.tables");
  }
  auto descriptor = STROM_TRY(apply_system_defaults(
      event.descriptor, {settings.default_bucket_number, settings.default_replication_factor}));
  if (!settings.lake_format.empty() && !descriptor.properties.contains(model::kLakeFormatKey)) {
    descriptor.properties.set(model::kLakeFormatKey, settings.lake_format);
  }
  STROM_TRY(validate_table(descriptor, {.max_buckets = settings.max_bucket_num}));
  return descriptor;
}

// Nodes and news of the buckets of a new table: assignment, leader, notices.
void add_buckets(const State& state, TableState& table, std::map<BucketId, std::vector<ServerId>> assignment,
                 Plan& plan) {
  model::TableAssignment document{assignment};
  plan.writes.push_back(
      Operation::put(node_paths::table_assignment(table.id()), to_buffer(document.to_json())));
  for (auto& [id, replicas] : assignment) {
    BucketState bucket{replicas, elect_first(replicas, state.servers, state.epoch)};
    plan.writes.push_back(Operation::put(node_paths::leader_and_isr({table.id(), std::nullopt, id}),
                                         to_buffer(bucket.leadership.to_json())));
    table.buckets[id] = std::move(bucket);
  }
}

std::vector<BucketLeadership> leaderships(const TableState& table) {
  std::vector<BucketLeadership> all;
  for (const auto& [id, bucket] : table.buckets) {
    all.push_back(
        {{table.path, std::nullopt}, {table.id(), std::nullopt, id}, bucket.replicas, bucket.leadership});
  }
  return all;
}

}  // namespace

Plan plan_create_table(const State& state, const Settings& settings, const CreateTable& event,
                       const Input& input) {
  auto refuse = [](Error error) {
    Plan refused;
    refused.reply = std::move(error);
    return refused;
  };
  auto descriptor = check_descriptor(settings, event);
  if (!descriptor.ok()) return refuse(descriptor.error());
  const TableId id(state.next_table_id);
  auto registration = model::TableRegistration::make(id, *descriptor, settings.remote_data_dir, input.now);
  if (!registration.ok()) return refuse(registration.error());
  std::map<BucketId, std::vector<ServerId>> assignment;
  if (!descriptor->is_partitioned()) {
    auto options = model::TableOptions::parse(descriptor->properties);
    if (!options.ok()) return refuse(options.error());
    auto assigned = assign_replicas(registration->bucket_count, options->replication_factor.value_or(1),
                                    state.servers, input.random);
    if (!assigned.ok()) return refuse(assigned.error());
    assignment = std::move(*assigned);
  }
  if (event.ignore_if_exists && state.find_table(event.path) != nullptr) return {};
  if (!state.databases.contains(event.path.database)) {
    return refuse(
        make_error(ErrorCode::kDatabaseNotExist, "database {} does not exist", event.path.database));
  }
  if (state.find_table(event.path) != nullptr) {
    return refuse(make_error(ErrorCode::kTableAlreadyExist, "table {} exists already", event.path));
  }

  Plan plan;
  TableState table{event.path, std::move(*registration), model::SchemaId(1), descriptor->schema, {}, {}};
  // A schema that a failed attempt left behind is overwritten: without a table node it means nothing.
  plan.writes.push_back(
      Operation::put(node_paths::schema(event.path, table.schema_id), to_buffer(table.schema.to_json())));
  plan.writes.push_back(
      Operation::put(std::string(node_paths::kTableIdCounter), model::encode_counter(id.value + 1)));
  if (!descriptor->is_partitioned()) add_buckets(state, table, std::move(assignment), plan);
  plan.writes.push_back(
      Operation::put(node_paths::table(event.path), to_buffer(table.registration.to_json())));
  plan.changes.push_back(SetNextIds{id.value + 1, state.next_partition_id});
  MetadataUpdate update;
  update.tables.push_back(table_info(table));
  tell_leaders(state, leaderships(table), std::move(update), plan);
  plan.changes.push_back(PutTable{std::move(table)});
  return plan;
}

void drop_table(const State& state, const TableState& table, Plan& plan) {
  plan.writes.push_back(Operation::remove_tree(node_paths::table(table.path)));
  plan.changes.push_back(EraseTable{table.path});
  UpdateMetadata news;
  for (const auto& [server, registration] : state.servers) news.servers.push_back(server);
  news.update.dropped_tables.push_back({table.path, table.id()});
  for (const auto& [name, partition] : table.partitions) {
    news.update.dropped_partitions.push_back({table.id(), name, partition.registration.partition_id});
  }
  if (!news.servers.empty()) plan.sends.push_back(std::move(news));
  if (!table.is_partitioned()) begin_deletion(state, table.id(), std::nullopt, table.buckets, plan);
  for (const auto& [name, partition] : table.partitions) {
    begin_deletion(state, table.id(), partition.registration.partition_id, partition.buckets, plan);
  }
}

Plan plan_drop_table(const State& state, const DropTable& event) {
  Plan plan;
  const TableState* table = state.find_table(event.path);
  if (table != nullptr) {
    drop_table(state, *table, plan);
  } else if (!event.ignore_if_missing) {
    plan.reply = make_error(ErrorCode::kTableNotExist, "table {} does not exist", event.path);
  }
  return plan;
}

}  // namespace strom::coordinator
