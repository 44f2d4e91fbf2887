// Reader: reads several buckets with one long poll at a time and checks what it gets against the history.
#pragma once

#include "async/scope.h"
#include "tests/sim/history.h"
#include "tests/sim/sim_client.h"

namespace strom::sim {

class Reader {
 public:
  Reader(async::SimWorld& world, History& history, int number, std::vector<model::TableBucket> buckets);

  void start();
  void stop();
  const std::string& machine() const { return client_.name(); }
  // Where it reads on.
  model::Offset position(const model::TableBucket& bucket) const { return positions_.at(bucket).next; }
  const std::vector<model::TableBucket>& buckets() const { return buckets_; }
  // Batches that arrived by a poll that was waiting for them.
  size_t woken() const { return woken_; }

 private:
  struct Position {
    model::Offset next{0};
    size_t cuts_seen = 0;
  };
  async::Task<void> run();
  async::Task<void> round();
  rpc::FetchLogRequest request();
  void take(const model::TableBucket& bucket, const rpc::FetchLogResponse::Bucket& answer,
            async::Instant asked);
  void check_wake(const model::TableBucket& bucket, model::Offset base, async::Instant asked);

  async::SimWorld& world_;
  History& history_;
  SimClient client_;
  async::TaskScope scope_;
  const std::vector<model::TableBucket> buckets_;
  std::map<model::TableBucket, Position> positions_;
  size_t woken_ = 0;
};

}  // namespace strom::sim
