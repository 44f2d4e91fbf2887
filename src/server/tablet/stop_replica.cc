// STOP_REPLICA: the coordinator takes buckets away from this server, mostly because their table was dropped.
#include "rpc/proto/replication.pb.h"
#include "rpc/typed.h"
#include "server/convert/control.h"
#include "server/handlers.h"
#include "server/tablet/orders.h"

namespace strom::server {

using async::Task;

namespace {

Task<Result<proto::StopReplicaResponse>> stop_replica(Services& services, proto::StopReplicaRequest request) {
  STROM_CO_TRY(co_await services.fence(model::CoordinatorEpoch(request.coordinator_epoch())));
  auto orders = STROM_CO_TRY(replica_stops(request));
  proto::StopReplicaResponse response;
  co_await carry_out(services, std::move(orders), &replica::ReplicaSet::stop_replicas,
                     *response.mutable_stop_replicas_resp());
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
