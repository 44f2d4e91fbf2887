// FetchWaits: fetches that wait for data on one shard. A fetch whose buckets live on several shards waits on
// each of them once; the first that has something answers, and the others are cancelled. Lives on: one shard.
// Upstream counterpart: server/replica/delay/DelayedFetchLog.
#pragma once

#include <unordered_map>
#include <vector>

#include "replica/replica_set.h"

namespace strom::replica {

// Chosen by whoever waits, unique in the process.
using FetchWaitId = uint64_t;

struct FetchPosition {
  model::TableBucket bucket;
  model::Offset next;  // what the reader has; data at or behind it wakes it
};

class FetchWaits {
 public:
  FetchWaits(async::EventLoop& loop, ReplicaSet& replicas) : loop_(loop), replicas_(replicas) {}

  // Returns when a watermark is above its position, when one of the replicas is gone or does not lead, at
  // `until`, or on cancel(). True: look again.
  async::Task<bool> wait(FetchWaitId id, std::vector<FetchPosition> positions, async::Instant until);
  // Ends a wait. Calls from one shard arrive in order, so a wait is never cancelled before it began.
  void cancel(FetchWaitId id);
  // Ends all waits, when the server stops.
  void cancel_all();
  size_t size() const { return waiting_.size(); }

 private:
  struct Waiting {
    explicit Waiting(async::EventLoop& loop) : woken(loop) {}
    async::WaitList woken;
    bool cancelled = false;
  };

  async::EventLoop& loop_;
  ReplicaSet& replicas_;
  std::unordered_map<FetchWaitId, Waiting*> waiting_;
  bool closed_ = false;
};

}  // namespace strom::replica
