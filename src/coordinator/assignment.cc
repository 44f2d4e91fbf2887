#include "coordinator/assignment.h"

#include <algorithm>
#include <set>

#include "base/contains.h"

namespace strom::coordinator {
namespace {

using Servers = std::map<ServerId, model::TabletServerRegistration>;

// Servers in the order in which first replicas are given: by id, or, when all have a rack, one of each rack
// in turn.
std::vector<ServerId> order_servers(const Servers& servers, bool rack_aware) {
  std::vector<ServerId> ordered;
  if (!rack_aware) {
    for (const auto& [id, registration] : servers) ordered.push_back(id);
    return ordered;
  }
  std::map<std::string, std::vector<ServerId>> racks;
  for (const auto& [id, registration] : servers) racks[*registration.rack].push_back(id);
  for (size_t round = 0; ordered.size() < servers.size(); ++round) {
    for (const auto& [rack, ids] : racks) {
      if (round < ids.size()) ordered.push_back(ids[round]);
    }
  }
  return ordered;
}

// The other replicas of a bucket: the servers after the first one, from a shift on, those on a new rack
// before the rest.
std::vector<ServerId> follow(const std::vector<ServerId>& order, size_t first, size_t shift, size_t count,
                             const Servers& servers, bool rack_aware) {
  std::vector<ServerId> replicas{order[first]};
  std::set<std::string> racks;
  if (rack_aware) racks.insert(*servers.at(order[first]).rack);
  const size_t others = order.size() - 1;
  for (bool any_rack : {false, true}) {
    for (size_t step = 0; step < others && replicas.size() < count; ++step) {
      ServerId candidate = order[(first + 1 + (shift + step) % others) % order.size()];
      if (contains(replicas, candidate)) continue;
      if (rack_aware && !any_rack && !racks.insert(*servers.at(candidate).rack).second) continue;
      replicas.push_back(candidate);
    }
  }
  return replicas;
}

}  // namespace

Result<std::map<BucketId, std::vector<ServerId>>> assign_replicas(int32_t bucket_count,
                                                                  int32_t replication_factor,
                                                                  const Servers& servers, uint64_t random) {
  if (replication_factor < 1) {
    return make_error(ErrorCode::kInvalidReplicationFactor,
                      "the replication factor is {}, expected 1 or more", replication_factor);
  }
  if (servers.size() < static_cast<size_t>(replication_factor)) {
    return make_error(
        ErrorCode::kInvalidReplicationFactor,
        "the replication factor is {}, but only {} tablet servers are alive; lower it or start more servers",
        replication_factor, servers.size());
  }
  const bool rack_aware =
      std::ranges::all_of(servers, [](const auto& entry) { return entry.second.rack.has_value(); });
  const std::vector<ServerId> order = order_servers(servers, rack_aware);
  const size_t start = random % order.size();
  size_t shift = (random >> 32) % order.size();
  std::map<BucketId, std::vector<ServerId>> assignment;
  for (int32_t bucket = 0; bucket < bucket_count; ++bucket) {
    if (bucket > 0 && static_cast<size_t>(bucket) % order.size() == 0) ++shift;
    const size_t first = (static_cast<size_t>(bucket) + start) % order.size();
    assignment[BucketId(bucket)] =
        follow(order, first, shift, static_cast<size_t>(replication_factor), servers, rack_aware);
  }
  return assignment;
}

LeaderAndIsr elect_first(const std::vector<ServerId>& replicas, const Servers& servers,
                         CoordinatorEpoch epoch) {
  LeaderAndIsr elected{.coordinator_epoch = epoch};
  for (ServerId replica : replicas) {
    if (servers.contains(replica)) elected.isr.push_back(replica);
  }
  if (!elected.isr.empty()) elected.leader = elected.isr.front();
  if (elected.isr.empty()) elected.isr = replicas;
  return elected;
}

LeaderAndIsr elect_again(const BucketState& bucket, const Servers& servers, CoordinatorEpoch epoch) {
  LeaderAndIsr elected = bucket.leadership;
  elected.leader = model::kNoServer;
  for (ServerId replica : bucket.replicas) {
    if (!servers.contains(replica) || !contains(elected.isr, replica)) continue;
    elected.leader = replica;
    break;
  }
  elected.leader_epoch = elected.leader_epoch.next();
  elected.bucket_epoch = elected.bucket_epoch.next();
  elected.coordinator_epoch = epoch;
  return elected;
}

}  // namespace strom::coordinator
