#include "coordinator/plan.h"

#include <map>

namespace strom::coordinator {

namespace {

struct Planner {
  const State& state;
  const Settings& settings;
  const Input& input;

  Plan operator()(const CreateDatabase& event) const { return plan_create_database(state, event, input.now); }
  Plan operator()(const AlterDatabase& event) const { return plan_alter_database(state, event, input.now); }
  Plan operator()(const DropDatabase& event) const { return plan_drop_database(state, event); }
  Plan operator()(const CreateTable& event) const { return plan_create_table(state, settings, event, input); }
  Plan operator()(const AlterTable& event) const {
    return plan_alter_table(state, settings, event, input.now);
  }
  Plan operator()(const DropTable& event) const { return plan_drop_table(state, event); }
  Plan operator()(const CreatePartition& event) const {
    return plan_create_partition(state, settings, event, input);
  }
  Plan operator()(const DropPartition& event) const { return plan_drop_partition(state, event); }
  Plan operator()(const ServerJoined& event) const { return plan_server_joined(state, event); }
  Plan operator()(const ServerLeft& event) const { return plan_server_left(state, event); }
  Plan operator()(const ReplicasStopped& event) const { return plan_replicas_stopped(state, event); }
};

struct Name {
  std::string_view operator()(const CreateDatabase&) const { return "create database"; }
  std::string_view operator()(const AlterDatabase&) const { return "alter database"; }
  std::string_view operator()(const DropDatabase&) const { return "drop database"; }
  std::string_view operator()(const CreateTable&) const { return "create table"; }
  std::string_view operator()(const AlterTable&) const { return "alter table"; }
  std::string_view operator()(const DropTable&) const { return "drop table"; }
  std::string_view operator()(const CreatePartition&) const { return "create partition"; }
  std::string_view operator()(const DropPartition&) const { return "drop partition"; }
  std::string_view operator()(const ServerJoined&) const { return "server joined"; }
  std::string_view operator()(const ServerLeft&) const { return "server left"; }
  std::string_view operator()(const ReplicasStopped&) const { return "replicas stopped"; }
};

}  // namespace

Plan plan(const State& state, const Settings& settings, const Input& input) {
  Plan made = std::visit(Planner{state, settings, input}, input.event);
  STROM_CHECK(made.reply.ok() || (made.writes.empty() && made.changes.empty() && made.sends.empty()),
              "a refused request changes nothing");
  return made;
}

std::string_view event_name(const Event& event) { return std::visit(Name{}, event); }

Buffer to_buffer(std::string_view text) { return {text.begin(), text.end()}; }

model::TableInfo table_info(const TableState& table) {
  return model::make_table_info(table.path, table.registration, {table.schema_id, table.schema}).value();
}

void tell_leaders(const State& state, std::vector<BucketLeadership> buckets, MetadataUpdate update,
                  Plan& plan) {
  std::map<ServerId, NotifyLeaders> notices;
  for (const BucketLeadership& bucket : buckets) {
    for (ServerId replica : bucket.replicas) {
      if (!state.servers.contains(replica)) continue;
      NotifyLeaders& notice = notices[replica];
      notice.server = replica;
      notice.buckets.push_back(bucket);
    }
  }
  for (auto& [server, notice] : notices) plan.sends.push_back(std::move(notice));
  UpdateMetadata news;
  for (const auto& [server, registration] : state.servers) news.servers.push_back(server);
  news.update = std::move(update);
  for (BucketLeadership& bucket : buckets) news.update.buckets.push_back(std::move(bucket));
  if (!news.servers.empty()) plan.sends.push_back(std::move(news));
}

void begin_deletion(const State& state, TableId table, std::optional<PartitionId> partition,
                    const Buckets& buckets, Plan& plan) {
  Deletion deletion{table, partition, {}};
  std::map<ServerId, StopReplicas> stops;
  for (const auto& [id, bucket] : buckets) {
    const TableBucket name{table, partition, id};
    for (ServerId replica : bucket.replicas) {
      deletion.remaining.insert({name, replica});
      if (!state.servers.contains(replica)) continue;
      StopReplicas& stop = stops[replica];
      stop.server = replica;
      stop.replicas.push_back({name, true, bucket.leadership.leader_epoch});
    }
  }
  plan.changes.push_back(PutDeletion{std::move(deletion)});
  for (auto& [server, stop] : stops) plan.sends.push_back(std::move(stop));
}

}  // namespace strom::coordinator
