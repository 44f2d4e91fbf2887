// NOTIFY_LEADER_AND_ISR: the coordinator says which buckets this server leads or follows. Each bucket has its
// own outcome.
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
using replica::Leadership;

namespace {

Task<BucketErrors> lead_or_follow(TabletShard& shard, std::vector<Leadership> orders) {
  co_return co_await shard.replicas.lead_or_follow(std::move(orders));
}

Task<BucketErrors> lead_or_follow_on(Services& services, size_t shard, std::vector<Leadership> orders) {
  BucketErrors refused;
  for (const Leadership& order : orders) refused.emplace_back(order.bucket, Services::stopping());
  co_return co_await services.tablet(
      shard,
      [orders = std::move(orders)](TabletShard& tablet) mutable {
        return lead_or_follow(tablet, std::move(orders));
      },
      std::move(refused));
}

Task<Result<proto::NotifyLeaderAndIsrResponse>> notify(Services& services,
                                                       proto::NotifyLeaderAndIsrRequest request) {
  STROM_CO_TRY(co_await services.fence(model::CoordinatorEpoch(request.coordinator_epoch())));
  auto orders = STROM_CO_TRY(leaderships(request));
  std::vector<model::TableBucket> buckets;
  std::map<size_t, std::vector<Leadership>> shards;
  for (Leadership& order : orders) {
    buckets.push_back(order.bucket);
    const size_t owner = services.owner(order.bucket);
    shards[owner].push_back(std::move(order));
  }
  std::vector<Task<BucketErrors>> tasks;
  for (auto& [shard, list] : shards) tasks.push_back(lead_or_follow_on(services, shard, std::move(list)));
  auto errors = merge(co_await async::when_all(services.loop(), std::move(tasks)));
  proto::NotifyLeaderAndIsrResponse response;
  write_results(buckets, errors, *response.mutable_notify_buckets_leader_resp());
  co_return response;
}

}  // namespace

void serve_notify_leader_and_isr(rpc::Dispatcher& dispatcher, Services& services) {
  rpc::serve<rpc::ApiKey::kNotifyLeaderAndIsr>(
      dispatcher, [&services](rpc::RequestContext, proto::NotifyLeaderAndIsrRequest request) {
        return notify(services, std::move(request));
      });
}

}  // namespace strom::server
