// Tablet servers that come and go, and replicas that are gone.
#include <algorithm>

#include "base/contains.h"
#include "coordinator/assignment.h"
#include "coordinator/plan.h"
#include "model/node_paths.h"

namespace strom::coordinator {

using metastore::Operation;
namespace node_paths = model::node_paths;

namespace {

// Calls `visit` for each bucket there is.
template <class Visit>
void each_bucket(const State& state, Visit visit) {
  for (const auto& [path, table] : state.tables) {
    for (const auto& [id, bucket] : table.buckets) {
      visit(PhysicalTablePath{path, std::nullopt}, TableBucket{table.id(), std::nullopt, id}, bucket);
    }
    for (const auto& [name, partition] : table.partitions) {
      for (const auto& [id, bucket] : partition.buckets) {
        visit(PhysicalTablePath{path, name}, TableBucket{table.id(), partition.registration.partition_id, id},
              bucket);
      }
    }
  }
}

// Elects again for each bucket of which `affected` holds, and adds what follows from it.
template <class Affected>
std::vector<BucketLeadership> change_leaders(const State& before, const State& after, Affected affected,
                                             Plan& plan) {
  std::vector<BucketLeadership> news;
  each_bucket(before, [&](const PhysicalTablePath& path, const TableBucket& name, const BucketState& bucket) {
    if (!affected(bucket)) return;
    LeaderAndIsr elected = elect_again(bucket, after.servers, after.epoch);
    plan.writes.push_back(Operation::put(node_paths::leader_and_isr(name), to_buffer(elected.to_json())));
    news.push_back({path, name, bucket.replicas, elected});
    plan.changes.push_back(
        PutLeadership{path.path, path.partition.value_or(""), name.bucket, std::move(elected)});
  });
  return news;
}

// The state with other live servers, and nothing else: elections look at no more.
State with_servers(const State& state, std::map<ServerId, model::TabletServerRegistration> servers) {
  State after;
  after.epoch = state.epoch;
  after.servers = std::move(servers);
  return after;
}

MetadataUpdate everything(const State& state) {
  MetadataUpdate update;
  for (const auto& [path, table] : state.tables) {
    update.tables.push_back(table_info(table));
    for (const auto& [name, partition] : table.partitions) {
      update.partitions.push_back({table.id(), name, partition.registration.partition_id});
    }
  }
  return update;
}

void stop_deleted(const State& state, ServerId server, Plan& plan) {
  StopReplicas stop{server, {}};
  for (const auto& [key, deletion] : state.deletions) {
    for (const auto& [bucket, replica] : deletion.remaining) {
      // Whoever deletes a bucket of a dropped table does so whatever epoch it knows.
      if (replica == server) stop.replicas.push_back({bucket, true, LeaderEpoch(INT32_MAX)});
    }
  }
  if (!stop.replicas.empty()) plan.sends.push_back(std::move(stop));
}

}  // namespace

Plan plan_server_joined(const State& state, const ServerJoined& event) {
  Plan plan;
  auto servers = state.servers;
  servers[event.id] = event.registration;
  const State after = with_servers(state, std::move(servers));
  plan.changes.push_back(PutServer{event.id, event.registration});
  // A server that registers has lost what it knew: it leads in a new epoch what it led before, and it may
  // lead what has had no leader. INV-4.
  auto affected = [&](const BucketState& bucket) {
    const ServerId leader = bucket.leadership.leader;
    const bool has_leader =
        leader != model::kNoServer && leader != event.id && state.servers.contains(leader);
    return !has_leader && contains(bucket.replicas, event.id);
  };
  auto news = change_leaders(state, after, affected, plan);
  // It also learns whom it follows, and who leads the rest; after a change of coordinators it may believe
  // that it leads.
  MetadataUpdate update = everything(state);
  NotifyLeaders follows{event.id, {}};
  each_bucket(state, [&](const PhysicalTablePath& path, const TableBucket& name, const BucketState& bucket) {
    if (affected(bucket)) return;
    update.buckets.push_back({path, name, bucket.replicas, bucket.leadership});
    if (contains(bucket.replicas, event.id)) follows.buckets.push_back(update.buckets.back());
  });
  if (!follows.buckets.empty()) plan.sends.push_back(std::move(follows));
  tell_leaders(after, std::move(news), std::move(update), plan);
  stop_deleted(state, event.id, plan);
  return plan;
}

Plan plan_server_left(const State& state, const ServerLeft& event) {
  Plan plan;
  if (!state.servers.contains(event.id)) return plan;
  auto servers = state.servers;
  servers.erase(event.id);
  const State after = with_servers(state, std::move(servers));
  plan.changes.push_back(EraseServer{event.id});
  auto news = change_leaders(
      state, after, [&](const BucketState& bucket) { return bucket.leadership.leader == event.id; }, plan);
  tell_leaders(after, std::move(news), {}, plan);
  return plan;
}

Plan plan_replicas_stopped(const State& state, const ReplicasStopped& event) {
  Plan plan;
  std::map<DeletionKey, Deletion> touched;
  for (const TableBucket& bucket : event.stopped) {
    const DeletionKey key{bucket.table, bucket.partition};
    auto found = state.deletions.find(key);
    if (found == state.deletions.end()) continue;
    Deletion& deletion = touched.try_emplace(key, found->second).first->second;
    deletion.remaining.erase({bucket, event.server});
  }
  for (auto& [key, deletion] : touched) {
    if (!deletion.remaining.empty()) {
      plan.changes.push_back(PutDeletion{std::move(deletion)});
      continue;
    }
    plan.writes.push_back(Operation::remove_tree(deletion.partition
                                                     ? node_paths::partition_assignment(*deletion.partition)
                                                     : node_paths::table_assignment(deletion.table)));
    plan.changes.push_back(EraseDeletion{key});
  }
  return plan;
}

}  // namespace strom::coordinator
