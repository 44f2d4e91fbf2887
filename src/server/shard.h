// Shard: all that belongs to one event loop of a server. Made and destroyed on the home shard's thread, while
// its own loop runs nothing of it; in between touched by its own loop only.
#pragma once

#include <memory>

#include "rpc/connection_host.h"
#include "server/context.h"
#include "server/table_source.h"

namespace strom::server {

struct Shard {
  Shard(async::Runtime& runtime, size_t index, log::LogDirectory& directory,
        const replica::ReplicaSet::Config& config);

  async::EventLoop& loop;
  async::TaskScope scope;  // calls from other shards
  MetadataCache metadata;
  StoredTables tables;
  replica::ReplicaSet replicas;
  replica::FetchWaits waits;
  TabletShard tablet;
  rpc::Dispatcher dispatcher;
  std::unique_ptr<Services> services;         // set by the server, which knows the other shards
  std::unique_ptr<rpc::ConnectionHost> host;  // likewise
};

}  // namespace strom::server
