// Server: a coordinator and a tablet server in one process, wired to a runtime and a metadata store. What
// `strom server` runs, and what the simulator runs.
//     auto server = co_await Server::start(runtime, options, open_store);   // on the home shard's loop
//     ...
//     co_await server->stop();                                               // before it is destroyed
// Upstream counterparts: TabletServer, CoordinatorServer.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "base/metrics.h"
#include "base/options.h"
#include "coordinator/ports.h"
#include "rpc/channel.h"
#include "server/maintenance.h"
#include "server/shard.h"
#include "server/test_port.h"

namespace strom::server {

// Opens the metadata store for the home shard's loop. `data_dir` is where an embedded one may keep its files.
using OpenMetastore = std::function<async::Task<Result<std::unique_ptr<metastore::Metastore>>>(
    async::Runtime& runtime, async::EventLoop& loop, std::string data_dir)>;

class Server {
 public:
  // Returns when the server answers requests. The error says what must be changed. All arguments outlive the
  // server.
  static async::Task<Result<std::unique_ptr<Server>>> start(async::Runtime& runtime, const Options& options,
                                                            MetricRegistry& metrics,
                                                            OpenMetastore open_metastore);
  ~Server();

  // Refuses new requests, ends those that wait, writes everything down. Clean when nothing went wrong.
  async::Task<Status> stop();

  // The addresses that clients connect to, with the ports that were chosen.
  const std::vector<model::Endpoint>& endpoints() const { return facts_.endpoints; }
  // An error, with its reason, when the server runs but can't do its work: the data directory is offline. Any
  // thread.
  Status health() const;
  size_t shards() const { return shards_.size(); }
  // For the HTTP and test ports; used on the home shard's loop.
  const Services& services() const { return *shards_[0]->services; }
  coordinator::Coordinator& coordinator() { return *coordinator_; }

 private:
  Server(async::Runtime& runtime, const Options& options, MetricRegistry& metrics);
  async::Task<Status> open_storage(OpenMetastore open_metastore);
  Status listen();
  void make_shards();
  async::Task<Status> start_roles();
  async::Task<Status> register_tablet_server();
  // server_stop.cc
  async::Task<void> on_each_shard(async::Task<void> (*stop)(Shard&));

  async::Runtime& runtime_;
  const Options& options_;
  MetricRegistry& metrics_;
  ServerFacts facts_;
  std::string data_dir_;
  std::unique_ptr<log::FileCache> files_;
  std::unique_ptr<log::LogDirectory> directory_;
  std::unique_ptr<metastore::Metastore> metastore_;
  std::vector<std::pair<std::string, std::unique_ptr<async::Listener>>>
      listeners_;  // bound, not accepting yet
  std::vector<std::unique_ptr<Shard>> shards_;
  std::unique_ptr<Home> home_;
  std::unique_ptr<async::Sharded<TabletShard>> tablets_;
  std::unique_ptr<async::Sharded<Home>> homes_;
  std::unique_ptr<rpc::Channel> own_channel_;  // the coordinator's way to this process's tablet server
  std::unique_ptr<coordinator::ControlClient> control_;
  std::unique_ptr<coordinator::Coordinator> coordinator_;
  std::vector<std::unique_ptr<rpc::Acceptor>> acceptors_;
  std::unique_ptr<Maintenance> maintenance_;
  std::unique_ptr<TestPort> test_port_;  // null unless it is configured
};

}  // namespace strom::server
