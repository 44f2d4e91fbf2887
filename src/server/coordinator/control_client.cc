#include "server/coordinator/control_client.h"

#include "rpc/typed.h"
#include "server/convert/names.h"
#include "server/coordinator/control_requests.h"

namespace strom::server {

using async::Task;
using model::TableBucket;

Result<rpc::Channel*> RpcControlClient::channel(model::ServerId server) const {
  rpc::Channel* channel = channels_(server);
  if (channel == nullptr)
    return make_error(ErrorCode::kNetwork, "there is no connection to tablet server {}", server);
  return channel;
}

Task<Result<std::vector<std::pair<TableBucket, Error>>>> RpcControlClient::notify_leaders(
    model::ServerId server, model::CoordinatorEpoch epoch, std::vector<coordinator::BucketLeadership> buckets,
    async::Deadline deadline) {
  rpc::Channel* to = STROM_CO_TRY(channel(server));
  auto response = STROM_CO_TRY(co_await rpc::call<rpc::ApiKey::kNotifyLeaderAndIsr>(
      *to, notify_leaders_request(epoch, buckets), deadline));
  std::vector<std::pair<TableBucket, Error>> refused;
  for (const auto& answer : response.notify_buckets_leader_resp()) {
    if (!answer.has_error_code()) continue;
    refused.emplace_back(table_bucket(answer.table_bucket()),
                         Error{static_cast<ErrorCode>(answer.error_code()), answer.error_message()});
  }
  co_return refused;
}

Task<Status> RpcControlClient::update_metadata(
    model::ServerId server, model::CoordinatorEpoch epoch,
    std::map<model::ServerId, model::TabletServerRegistration> live_servers,
    coordinator::MetadataUpdate update, async::Deadline deadline) {
  rpc::Channel* to = STROM_CO_TRY(channel(server));
  STROM_CO_TRY(co_await rpc::call<rpc::ApiKey::kUpdateMetadata>(
      *to, update_metadata_request(epoch, coordinator_, live_servers, update), deadline));
  co_return Status();
}

Task<Result<std::vector<TableBucket>>> RpcControlClient::stop_replicas(
    model::ServerId server, model::CoordinatorEpoch epoch, std::vector<coordinator::ReplicaStop> replicas,
    async::Deadline deadline) {
  rpc::Channel* to = STROM_CO_TRY(channel(server));
  auto response = STROM_CO_TRY(
      co_await rpc::call<rpc::ApiKey::kStopReplica>(*to, stop_replicas_request(epoch, replicas), deadline));
  std::vector<TableBucket> stopped;
  for (const auto& answer : response.stop_replicas_resp()) {
    if (!answer.has_error_code()) stopped.push_back(table_bucket(answer.table_bucket()));
  }
  co_return stopped;
}

}  // namespace strom::server
