// NOTIFY_LEADER_AND_ISR: the coordinator says which buckets this server leads or follows.
#include "rpc/proto/replication.pb.h"
#include "rpc/typed.h"
#include "server/convert/control.h"
#include "server/handlers.h"
#include "server/tablet/orders.h"

namespace strom::server {

using async::Task;

namespace {

Task<Result<proto::NotifyLeaderAndIsrResponse>> notify(Services& services,
                                                       proto::NotifyLeaderAndIsrRequest request) {
  STROM_CO_TRY(co_await services.fence(model::CoordinatorEpoch(request.coordinator_epoch())));
  auto orders = STROM_CO_TRY(leaderships(request));
  proto::NotifyLeaderAndIsrResponse response;
  co_await carry_out(services, std::move(orders), &replica::ReplicaSet::lead_or_follow,
                     *response.mutable_notify_buckets_leader_resp());
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
