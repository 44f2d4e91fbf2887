#include "tests/sim/sim_server.h"

namespace strom::sim {

using async::Task;
using namespace std::chrono_literals;

namespace {

Options options_of(const ServerSettings& settings) {
  const std::vector<OptionSetting> lines = {
      {"bind.listeners", fmt::format("FLUSS://{}:9123", kServer), "test"},
      {"data.dir", "data", "test"},
      {"log.segment.file-size", settings.segment_bytes, "test"},
      {"log.index.file-size", "4kb", "test"},
      {"log.index.interval-size", "64b", "test"},
      {"log.flush.offset.checkpoint-interval", "500 ms", "test"},
      {"log.replica.high-watermark.checkpoint-interval", "300 ms", "test"}};
  return Options::from_settings(lines).value();
}

Task<Result<std::unique_ptr<metastore::Metastore>>> connect(metastore::SimMetastoreService& store,
                                                            async::EventLoop& loop) {
  co_return store.connect(loop);
}

}  // namespace

SimServer::SimServer(async::SimWorld& world, const ServerSettings& settings)
    : world_(world),
      options_(options_of(settings)),
      machine_(world.add_machine(kServer, settings.shards)),
      store_(world) {}

SimServer::~SimServer() { STROM_CHECK(!running(), "the server was not stopped"); }

void SimServer::boot() {
  runtime_ = machine_.boot();
  metrics_ = std::make_unique<MetricRegistry>();
}

Task<SimServer::Started> SimServer::begin() {
  return server::Server::start(
      *runtime_, options_, *metrics_,
      [this](async::Runtime&, async::EventLoop& loop, std::string) { return connect(store_, loop); });
}

Status SimServer::start() {
  boot();
  Started started = run(world_, runtime_->loop(0), begin());
  if (!started.ok()) {
    Error error = started.error();
    (void)end();
    return error;
  }
  server_ = std::move(*started);
  started_at_ = world_.now();
  return {};
}

void SimServer::start_and_crash(async::Duration delay, async::Crash kind) {
  boot();
  std::optional<Started> started;
  {
    async::TaskScope scope(runtime_->loop(0));
    runtime_->loop(0).post([&] { scope.spawn(keep_result(begin(), started)); });
    world_.run_until([&] { return started.has_value(); }, delay);
    if (!started) {
      machine_.crash(kind);
      store_.expire_sessions();
    }
    const bool ended = world_.run_until([&] { return started && scope.running() == 0; }, 1h);
    STROM_CHECK(ended, "a start does not end after a crash; seed {}", world_.seed());
  }
  if (started->ok()) server_ = std::move(**started);
  if (server_ != nullptr) return crash(kind);
  (void)end();
}

Status SimServer::stop() { return end(); }

void SimServer::crash(async::Crash kind) {
  machine_.crash(kind);
  store_.expire_sessions();
  (void)end();  // what it says of its disk is true, and expected
}

Status SimServer::end() {
  Status stopped;
  if (server_ != nullptr) stopped = run(world_, runtime_->loop(0), server_->stop());
  server_.reset();
  world_.run_for(100ms);  // calls of workers that nobody waits for
  runtime_.reset();
  metrics_.reset();
  return stopped;
}

}  // namespace strom::sim
