// STOP_REPLICA: the coordinator takes buckets away from this server, mostly because their table was dropped.
#include <map>

#include "async/join.h"
#include "rpc/proto/replication.pb.h"
#include "rpc/typed.h"
#include "server/convert/control.h"
#include "server/handlers.h"
#include "server/tablet/order_results.h"

namespace strom::server {

using async::Task;
using replica::BucketErrors;
using replica::ReplicaStop;

namespace {

Task<BucketErrors> stop_all(TabletShard& shard, std::vector<ReplicaStop> stops) {
  co_return co_await shard.replicas.stop_replicas(std::move(stops));
}

Task<BucketErrors> stop_on(Services& services, size_t shard, std::vector<ReplicaStop> stops) {
  BucketErrors refused;
  for (const ReplicaStop& stop : stops) refused.emplace_back(stop.bucket, Services::stopping());
  co_return co_await services.tablet(
      shard,
      [stops = std::move(stops)](TabletShard& tablet) mutable { return stop_all(tablet, std::move(stops)); },
      std::move(refused));
}

Task<Result<proto::StopReplicaResponse>> stop_replica(Services& services, proto::StopReplicaRequest request) {
  STROM_CO_TRY(co_await services.fence(model::CoordinatorEpoch(request.coordinator_epoch())));
  auto stops = STROM_CO_TRY(replica_stops(request));
  std::vector<model::TableBucket> buckets;
  std::map<size_t, std::vector<ReplicaStop>> shards;
  for (ReplicaStop& stop : stops) {
    buckets.push_back(stop.bucket);
    const size_t owner = services.owner(stop.bucket);
    shards[owner].push_back(std::move(stop));
  }
  std::vector<Task<BucketErrors>> tasks;
  for (auto& [shard, list] : shards) tasks.push_back(stop_on(services, shard, std::move(list)));
  auto errors = merge(co_await async::when_all(services.loop(), std::move(tasks)));
  proto::StopReplicaResponse response;
  write_results(buckets, errors, *response.mutable_stop_replicas_resp());
  co_return response;
}

}  // namespace

void serve_stop_replica(rpc::Dispatcher& dispatcher, Services& services) {
  rpc::serve<rpc::ApiKey::kStopReplica>(dispatcher,
                                        [&services](rpc::RequestContext, proto::StopReplicaRequest request) {
                                          return stop_replica(services, std::move(request));
                                        });
}

}  // namespace strom::server
