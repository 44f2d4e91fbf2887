#include "server/server.h"

#include "async/join.h"
#include "base/logging.h"
#include "model/node_paths.h"
#include "rpc/in_process_channel.h"
#include "server/coordinator/control_client.h"
#include "server/handlers.h"

namespace strom::server {

using async::Task;
using metastore::Operation;
namespace node_paths = model::node_paths;

namespace {

// Names that no database can have, so that they lie beside the databases' directories.
constexpr std::string_view kMetastoreDirectory = "metadata.store";

// Open segment files that are kept; sockets and the metadata store need handles, too.
constexpr size_t kOpenFiles = 8192;

log::LogConfig log_config(const Options& options) {
  return {.segment_bytes = static_cast<uint64_t>(options.get(option::kLogSegmentFileSize).bytes),
          .index_file_bytes = static_cast<uint64_t>(options.get(option::kLogIndexFileSize).bytes),
          .index_interval_bytes = static_cast<uint64_t>(options.get(option::kLogIndexIntervalSize).bytes),
          .flush_interval_messages = options.get(option::kLogFlushIntervalMessages),
          .writer_expiration = options.get(option::kWriterIdExpirationTime)};
}

rpc::Limits rpc_limits(const Options& options, size_t shards) {
  rpc::Limits limits;
  limits.max_request_size = static_cast<size_t>(options.get(option::kMaxRequestSize).bytes);
  limits.max_requests_per_connection = static_cast<size_t>(options.get(option::kMaxQueuedRequests));
  limits.max_idle = options.get(option::kConnectionMaxIdleTime);
  limits.patience = std::min(limits.patience, limits.max_idle);  // silence within a frame is silence, too
  limits.write_bytes = static_cast<size_t>(options.get(option::kRequestMemory).bytes) / shards;
  limits.other_bytes = static_cast<size_t>(options.get(option::kControlMemory).bytes) / shards;
  return limits;
}

coordinator::Settings coordinator_settings(const Options& options, const std::string& remote_data_dir) {
  return {.default_bucket_number = options.get(option::kDefaultBucketNumber),
          .default_replication_factor = options.get(option::kDefaultReplicationFactor),
          .max_partition_num = options.get(option::kMaxPartitionNum),
          .max_bucket_num = options.get(option::kMaxBucketNum),
          .allow_log_tables = options.get(option::kAllowCreateLogTables),
          .allow_kv_tables = options.get(option::kAllowCreateKvTables),
          .remote_data_dir = remote_data_dir,
          .lake_format = options.get(option::kDatalakeFormat)};
}

}  // namespace

Server::Server(async::Runtime& runtime, const Options& options, MetricRegistry& metrics)
    : runtime_(runtime), options_(options), metrics_(metrics), data_dir_(options.get(option::kDataDir)) {
  facts_.server = model::ServerId(options.get(option::kTabletServerId));
  facts_.remote_data_dir = options.get(option::kRemoteDataDir);
}

Server::~Server() = default;

Status Server::health() const {
  auto offline = directory_->offline();
  return offline ? Status(*offline) : Status();
}

Task<Result<std::unique_ptr<Server>>> Server::start(async::Runtime& runtime, const Options& options,
                                                    MetricRegistry& metrics, OpenMetastore open_metastore) {
  std::unique_ptr<Server> server(new Server(runtime, options, metrics));
  Status started = co_await server->open_storage(std::move(open_metastore));
  if (started.ok()) started = server->listen();
  if (started.ok()) {
    server->make_shards();
    started = co_await server->start_roles();
  }
  if (started.ok()) co_return server;
  Status stopped = co_await server->stop();
  if (!stopped.ok()) log_warn("server", "did not stop cleanly reason={}", stopped.error().message);
  co_return started.error();
}

Task<Status> Server::open_storage(OpenMetastore open_metastore) {
  files_ = std::make_unique<log::FileCache>(runtime_.disk(), kOpenFiles);
  directory_ = STROM_CO_TRY(co_await async::run_on(runtime_.pool(), runtime_.loop(0), [this] {
    return log::LogDirectory::open(runtime_, *files_,
                                   {.path = data_dir_,
                                    .server = facts_.server,
                                    .sync_before_ack = options_.get(option::kSyncBeforeAck)});
  }));
  log_info("server", "opened the data directory path={} clean={} buckets={}", data_dir_,
           directory_->started_clean() || directory_->found_buckets().empty(),
           directory_->found_buckets().size());
  metastore_ = STROM_CO_TRY(
      co_await open_metastore(runtime_, runtime_.loop(0), async::join_path(data_dir_, kMetastoreDirectory)));
  co_return Status();
}

Status Server::listen() {
  for (const Listener& bound : options_.get(option::kBindListeners)) {
    auto listener =
        STROM_TRY(runtime_.network().listen(runtime_.loop(0), {bound.address.host, bound.address.port}));
    model::Endpoint endpoint{bound.name, bound.address.host, listener->local().port};
    for (const Listener& told : options_.get(option::kAdvertisedListeners)) {
      if (told.name != bound.name) continue;
      endpoint.host = told.address.host;
      if (told.address.port != 0) endpoint.port = told.address.port;
    }
    facts_.endpoints.push_back(std::move(endpoint));
    listeners_.emplace_back(bound.name, std::move(listener));
  }
  return {};
}

void Server::make_shards() {
  const replica::ReplicaSet::Config config{
      .server = facts_.server,
      .min_in_sync = static_cast<size_t>(options_.get(option::kMinInSyncReplicas)),
      .log = log_config(options_)};
  std::vector<TabletShard*> tablets;
  std::vector<async::TaskScope*> scopes;
  for (size_t i = 0; i < runtime_.shards(); ++i) {
    shards_.push_back(std::make_unique<Shard>(runtime_, i, *directory_, config));
    tablets.push_back(&shards_.back()->tablet);
    scopes.push_back(&shards_.back()->scope);
  }
  home_ = std::make_unique<Home>(Home{*metastore_, nullptr});
  homes_ = std::make_unique<async::Sharded<Home>>(std::vector{home_.get()}, std::vector{scopes[0]});
  tablets_ = std::make_unique<async::Sharded<TabletShard>>(std::move(tablets), std::move(scopes));
  const rpc::RpcMetrics rpc_metrics(
      metrics_.scope("fluss_tabletserver", {{"server_id", fmt::format("{}", facts_.server)}}));
  for (size_t i = 0; i < shards_.size(); ++i) {
    Shard& shard = *shards_[i];
    shard.services = std::make_unique<Services>(runtime_, i, *homes_, *tablets_, facts_);
    shard.tables.connect(*shard.services);
    serve_tablet_apis(shard.dispatcher, *shard.services);
    serve_admin_apis(shard.dispatcher, *shard.services);
    serve_coordinator_apis(shard.dispatcher, *shard.services);
    shard.host = std::make_unique<rpc::ConnectionHost>(shard.loop, i, shard.dispatcher,
                                                       rpc_limits(options_, shards_.size()), rpc_metrics);
  }
}

Task<Status> Server::start_roles() {
  own_channel_ = std::make_unique<rpc::InProcessChannel>(
      shards_[0]->dispatcher, rpc::ConnectionInfo{.peer = "this process",
                                                  .listener = options_.get(option::kInternalListenerName),
                                                  .session = {.internal = true}});
  control_ = std::make_unique<RpcControlClient>(
      [this](model::ServerId server) { return server == facts_.server ? own_channel_.get() : nullptr; },
      facts_.endpoints);
  coordinator_ = std::make_unique<coordinator::Coordinator>(
      runtime_, runtime_.loop(0), *metastore_, *control_,
      coordinator::Coordinator::Config{coordinator_settings(options_, facts_.remote_data_dir),
                                       {fmt::format("{}", facts_.server), facts_.endpoints},
                                       options_.get(option::kAutoPartitionCheckInterval)});
  home_->coordinator = coordinator_.get();
  STROM_CO_TRY(co_await register_tablet_server());
  STROM_CO_TRY(co_await coordinator_->start());
  maintenance_ = std::make_unique<Maintenance>(*shards_[0]->services, *directory_, options_, metrics_);
  maintenance_->start();
  if (const int32_t port = options_.get(option::kTestControlPort); port != 0) {
    test_port_ = STROM_CO_TRY(TestPort::open(*shards_[0]->services, port));
    test_port_->start();
  }
  std::vector<rpc::ConnectionHost*> hosts;
  for (auto& shard : shards_) hosts.push_back(shard->host.get());
  for (auto& [name, listener] : listeners_) {
    acceptors_.push_back(std::make_unique<rpc::Acceptor>(runtime_.loop(0), std::move(listener), hosts,
                                                         rpc::Acceptor::Options{.listener_name = name}));
    acceptors_.back()->start();
  }
  listeners_.clear();
  co_return Status();
}

Task<Status> Server::register_tablet_server() {
  model::TabletServerRegistration registration{.endpoints = facts_.endpoints,
                                               .registered = model::Timestamp(runtime_.clock().wall_ms())};
  if (options_.is_set(option::kTabletServerRack)) registration.rack = options_.get(option::kTabletServerRack);
  const std::string document = registration.to_json();
  std::vector<Operation> writes;
  writes.push_back(Operation::create_ephemeral(node_paths::tablet_server(facts_.server),
                                               Buffer(document.begin(), document.end())));
  auto outcome = STROM_CO_TRY(co_await metastore_->commit(std::move(writes)));
  if (outcome.committed()) co_return Status();
  co_return make_error(ErrorCode::kInvalidConfig,
                       "another tablet server is registered with tablet-server.id {}; give each its own",
                       facts_.server);
}

}  // namespace strom::server
