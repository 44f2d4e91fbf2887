// An order of the coordinator about many buckets: each goes to the shard that owns it, all at once, and has
// an outcome of its own. Used by the handlers of such orders, on the shard of their connection.
#pragma once

#include <map>
#include <vector>

#include "async/join.h"
#include "server/context.h"
#include "server/convert/names.h"

namespace strom::server {

using BucketErrorMap = std::map<model::TableBucket, Error>;

// Carries out a list of orders in one shard; the buckets that failed.
template <class Order>
using CarryOut = async::Task<replica::BucketErrors> (replica::ReplicaSet::*)(std::vector<Order>);

template <class Order>
async::Task<replica::BucketErrors> carry_out_on(const Services& services, size_t shard,
                                                std::vector<Order> orders, CarryOut<Order> carry_out) {
  replica::BucketErrors refused;
  for (const Order& order : orders) refused.emplace_back(order.bucket, Services::stopping());
  co_return co_await services.tablet(
      shard,
      [orders = std::move(orders), carry_out](TabletShard& tablet) mutable {
        return (tablet.replicas.*carry_out)(std::move(orders));
      },
      std::move(refused));
}

// Writes each bucket's outcome into `entries`, the repeated field of the answer, in the order of `orders`.
template <class Order, class Entries>
async::Task<void> carry_out(const Services& services, std::vector<Order> orders, CarryOut<Order> carry_out,
                            Entries& entries) {
  std::vector<model::TableBucket> buckets;
  std::map<size_t, std::vector<Order>> shards;
  for (Order& order : orders) {
    buckets.push_back(order.bucket);
    const size_t owner = services.owner(order.bucket);
    shards[owner].push_back(std::move(order));
  }
  std::vector<async::Task<replica::BucketErrors>> tasks;
  for (auto& [shard, list] : shards) {
    tasks.push_back(carry_out_on(services, shard, std::move(list), carry_out));
  }
  BucketErrorMap errors;
  for (auto& list : co_await async::when_all(services.loop(), std::move(tasks))) {
    for (auto& [bucket, error] : list) errors.emplace(bucket, std::move(error));
  }
  for (const model::TableBucket& bucket : buckets) {
    auto* entry = entries.Add();
    write(bucket, *entry->mutable_table_bucket());
    auto failed = errors.find(bucket);
    if (failed == errors.end()) continue;
    entry->set_error_code(static_cast<int32_t>(failed->second.code));
    entry->set_error_message(failed->second.message);
  }
}

}  // namespace strom::server
