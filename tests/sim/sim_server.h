// SimServer: a whole server on a simulated machine, with a metadata store that outlives it. Started, stopped
// and crashed from outside of the world's loops.
#pragma once

#include <memory>

#include "metastore/simulated.h"
#include "server/server.h"
#include "tests/sim/sim_client.h"

namespace strom::sim {

struct ServerSettings {
  size_t shards = 1;
  std::string segment_bytes = "1024m";
};

// How often the server syncs its logs and writes the recovery points down.
inline constexpr async::Duration kFlushInterval = std::chrono::milliseconds(500);

class SimServer {
 public:
  SimServer(async::SimWorld& world, const ServerSettings& settings);
  ~SimServer();

  // Runs the world until the server answers.
  Status start();
  // Starts, and crashes after `delay` if it does not answer before.
  void start_and_crash(async::Duration delay, async::Crash kind);
  Status stop();
  void crash(async::Crash kind);

  bool running() const { return server_ != nullptr; }
  async::Instant started_at() const { return started_at_; }
  async::SimMachine& machine() { return machine_; }

 private:
  using Started = Result<std::unique_ptr<server::Server>>;
  void boot();
  async::Task<Started> begin();
  Status end();

  async::SimWorld& world_;
  Options options_;
  async::SimMachine& machine_;
  metastore::SimMetastoreService store_;
  std::unique_ptr<async::SimRuntime> runtime_;
  std::unique_ptr<MetricRegistry> metrics_;
  std::unique_ptr<server::Server> server_;
  async::Instant started_at_;
};

}  // namespace strom::sim
