#include "server/shard.h"

namespace strom::server {

Shard::Shard(async::Runtime& runtime, size_t index, log::LogDirectory& directory,
             const replica::ReplicaSet::Config& config)
    : loop(runtime.loop(index)),
      scope(loop),
      tables(metadata),
      replicas(
          loop, directory, tables,
          [this](const model::TableBucket& bucket) { return metadata.knows(bucket); }, config),
      waits(loop, replicas),
      tablet{metadata, replicas, waits, model::CoordinatorEpoch()} {}

}  // namespace strom::server
