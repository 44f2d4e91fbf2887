// What the handlers of one process share, and what those of one shard share.
//   Home          the coordinator and the metadata store, on the home shard (0)
//   TabletShard   a shard's replicas, waiting fetches and metadata cache
//   Services      what one shard's handlers are made with: how to reach all of it
// A handler runs on the shard of its connection and reaches other shards with Services::home() and
// Services::tablet(). Upstream counterpart: RpcServiceBase and the fields of TabletService and
// CoordinatorService.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "async/sharded.h"
#include "coordinator/coordinator.h"
#include "metastore/metastore.h"
#include "model/endpoint.h"
#include "replica/fetch_wait.h"
#include "replica/replica_set.h"
#include "server/metadata_cache.h"

namespace strom::server {

struct Home {
  metastore::Metastore& metastore;
  coordinator::Coordinator* coordinator = nullptr;  // null on a pure tablet server
};

struct TabletShard {
  MetadataCache& metadata;
  replica::ReplicaSet& replicas;
  replica::FetchWaits& waits;
  // The highest coordinator epoch that this server has seen. Used on the home shard only, where all orders
  // are checked.
  model::CoordinatorEpoch coordinator_epoch;
  bool disk_locked = false;  // writes of clients are refused: the disk is nearly full
};

// Facts about this process that don't change while it runs.
struct ServerFacts {
  model::ServerId server;
  std::vector<model::Endpoint> endpoints;  // as clients reach them
  std::string remote_data_dir;
};

class Services {
 public:
  Services(async::Runtime& runtime, size_t shard, async::Sharded<Home>& home,
           async::Sharded<TabletShard>& tablets, const ServerFacts& facts)
      : runtime_(runtime), shard_(shard), home_(home), tablets_(tablets), facts_(facts) {}

  async::Runtime& runtime() const { return runtime_; }
  async::EventLoop& loop() const { return runtime_.loop(shard_); }
  size_t shard() const { return shard_; }
  const ServerFacts& facts() const { return facts_; }
  model::Timestamp now() const { return model::Timestamp(runtime_.clock().wall_ms()); }

  // Runs `function(Home&)`, which returns a Result<T> or a Task of one, on the home shard. The function owns
  // what it uses.
  template <class F>
  auto home(F function) const {
    return home_.on(loop(), 0, std::move(function), stopping);
  }

  // The shard that owns a bucket.
  size_t owner(const model::TableBucket& bucket) const {
    return std::hash<model::TableBucket>{}(bucket) % tablets_.size();
  }
  size_t tablet_shards() const { return tablets_.size(); }
  // This shard's own.
  TabletShard& tablet() const { return tablets_.local(shard_); }
  // Runs `function(TabletShard&)` on `shard`; `refused`, or what it returns, is the value when that shard is
  // stopping.
  template <class F, class Refused>
  auto tablet(size_t shard, F function, Refused refused) const {
    return tablets_.on(loop(), shard, std::move(function), std::move(refused));
  }

  // Checks an order's epoch and remembers it. kInvalidCoordinator: the order is of a coordinator that was
  // replaced.
  async::Task<Status> fence(model::CoordinatorEpoch epoch) const {
    return tablet(0, [epoch](TabletShard& shard) { return check_epoch(shard, epoch); }, stopping);
  }

  static Error stopping() {
    return make_error(ErrorCode::kNetwork,
                      "the server is shutting down; connect to another or try again later");
  }

 private:
  static Status check_epoch(TabletShard& shard, model::CoordinatorEpoch epoch) {
    if (epoch < shard.coordinator_epoch) {
      return make_error(ErrorCode::kInvalidCoordinator,
                        "the order is of coordinator epoch {}, but epoch {} leads now", epoch,
                        shard.coordinator_epoch);
    }
    shard.coordinator_epoch = epoch;
    return {};
  }

  async::Runtime& runtime_;
  size_t shard_;
  async::Sharded<Home>& home_;
  async::Sharded<TabletShard>& tablets_;
  const ServerFacts& facts_;
};

}  // namespace strom::server
