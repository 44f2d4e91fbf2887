// RpcControlClient: carries the coordinator's orders to tablet servers as requests, to its own process as to
// any other. Lives on: the coordinator's loop. Upstream counterpart: coordinator/CoordinatorChannelManager.
#pragma once

#include <functional>
#include <vector>

#include "coordinator/ports.h"
#include "rpc/channel.h"

namespace strom::server {

class RpcControlClient final : public coordinator::ControlClient {
 public:
  // The way to a server; null when there is none now. A channel outlives the calls that were begun on it.
  using Channels = std::function<rpc::Channel*(model::ServerId)>;

  // `coordinator`: where clients reach the coordinator, told to all servers.
  RpcControlClient(Channels channels, std::vector<model::Endpoint> coordinator)
      : channels_(std::move(channels)), coordinator_(std::move(coordinator)) {}

  async::Task<Result<std::vector<std::pair<model::TableBucket, Error>>>> notify_leaders(
      model::ServerId server, model::CoordinatorEpoch epoch,
      std::vector<coordinator::BucketLeadership> buckets, async::Deadline deadline) override;
  async::Task<Status> update_metadata(model::ServerId server, model::CoordinatorEpoch epoch,
                                      std::map<model::ServerId, model::TabletServerRegistration> live_servers,
                                      coordinator::MetadataUpdate update, async::Deadline deadline) override;
  async::Task<Result<std::vector<model::TableBucket>>> stop_replicas(
      model::ServerId server, model::CoordinatorEpoch epoch, std::vector<coordinator::ReplicaStop> replicas,
      async::Deadline deadline) override;

 private:
  Result<rpc::Channel*> channel(model::ServerId server) const;

  Channels channels_;
  std::vector<model::Endpoint> coordinator_;
};

}  // namespace strom::server
