// PRODUCE_LOG: appends batches to the buckets of one table. Each bucket succeeds or fails on its own; buckets
// enter their owners' queues in the order of the request, and requests in the order of their connection
// (INV-5 depends on it).
#include "rpc/messages/produce_log.h"

#include <map>

#include "async/join.h"
#include "rpc/typed.h"
#include "server/handlers.h"

namespace strom::server {

using async::Task;
using rpc::ProduceLogRequest;
using rpc::ProduceLogResponse;

namespace {

// One bucket of the request on its way through the owner's shard.
struct Part {
  size_t index = 0;  // in the request
  model::TableBucket bucket;
  Slice records;
};
// By index. Nothing: the owner's shard is stopping and took none of them.
using PartResults = std::optional<std::vector<std::pair<size_t, Result<replica::AppendAnswer>>>>;

Task<Result<replica::AppendAnswer>> append(TabletShard& shard, Part part, replica::Acks acks,
                                           async::Instant deadline) {
  auto replica = STROM_CO_TRY(shard.replicas.find(part.bucket));
  co_return co_await replica->append(std::move(part.records), acks, deadline);
}

Task<PartResults> append_all(TabletShard& shard, async::EventLoop& loop, std::vector<Part> parts,
                             replica::Acks acks, async::Instant deadline) {
  std::vector<async::Started<Result<replica::AppendAnswer>>> started;
  std::vector<size_t> indexes;
  for (Part& part : parts) {
    indexes.push_back(part.index);
    started.push_back(async::start(loop, append(shard, std::move(part), acks, deadline)));
  }
  PartResults results(std::in_place);
  for (size_t i = 0; i < started.size(); ++i) results->emplace_back(indexes[i], co_await started[i].join());
  co_return results;
}

Result<replica::Acks> parse_acks(int32_t acks) {
  if (acks >= -1 && acks <= 1) return replica::Acks(acks);
  return make_error(ErrorCode::kInvalidRequiredAcks, "acks is {}, expected -1 (all in-sync replicas), 0 or 1",
                    acks);
}

// Every shard's parts, in the order of the request.
std::map<size_t, std::vector<Part>> by_owner(const Services& services, ProduceLogRequest& request) {
  std::map<size_t, std::vector<Part>> shards;
  for (size_t i = 0; i < request.buckets.size(); ++i) {
    const auto& from = request.buckets[i];
    Part part{i, {request.table, from.partition, from.bucket}, std::move(request.buckets[i].records)};
    const size_t owner = services.owner(part.bucket);
    shards[owner].push_back(std::move(part));
  }
  return shards;
}

Task<PartResults> append_on(Services& services, size_t shard, std::vector<Part> parts, replica::Acks acks,
                            async::Instant deadline) {
  async::EventLoop& loop = services.runtime().loop(shard);
  co_return co_await services.tablet(
      shard,
      [&loop, parts = std::move(parts), acks, deadline](TabletShard& tablet) mutable {
        return append_all(tablet, loop, std::move(parts), acks, deadline);
      },
      std::nullopt);
}

Task<Result<ProduceLogResponse>> produce_log(Services& services, rpc::RequestContext context,
                                             ProduceLogRequest request) {
  const replica::Acks acks = STROM_CO_TRY(parse_acks(request.acks));
  if (services.tablet().disk_locked) {
    co_return make_error(
        ErrorCode::kDiskWriteLocked,
        "the server's disk is nearly full, so it takes no writes; free space, then try again");
  }
  const async::Instant deadline = std::min(services.loop().now() + request.timeout, context.deadline.at);
  ProduceLogResponse response;
  for (const auto& bucket : request.buckets) {
    response.buckets.push_back({.partition = bucket.partition, .bucket = bucket.bucket});
  }
  std::vector<async::Started<PartResults>> started;
  for (auto& [shard, parts] : by_owner(services, request)) {
    started.push_back(
        async::start(services.loop(), append_on(services, shard, std::move(parts), acks, deadline)));
  }
  for (auto& shard : started) {
    PartResults results = co_await shard.join();
    if (!results) continue;
    for (auto& [index, result] : *results) {
      if (result.ok()) {
        response.buckets[index].base_offset = result->base_offset;
      } else {
        response.buckets[index].error = std::move(result).error();
      }
    }
  }
  for (auto& bucket : response.buckets) {
    if (!bucket.base_offset && !bucket.error) bucket.error = Services::stopping();
  }
  co_return response;
}

}  // namespace

void serve_produce_log(rpc::Dispatcher& dispatcher, Services& services) {
  rpc::serve_as<ProduceLogRequest, ProduceLogResponse>(
      dispatcher, rpc::ApiKey::kProduceLog,
      [&services](rpc::RequestContext context, ProduceLogRequest request) {
        return produce_log(services, std::move(context), std::move(request));
      });
}

}  // namespace strom::server
