// Inspector: looks at a server that is back, before any other client may: every log from its first batch to
// its last, and the epochs of its buckets. Used from outside of the world's loops.
#pragma once

#include "tests/sim/history.h"
#include "tests/sim/sim_client.h"

namespace strom::sim {

class Inspector {
 public:
  Inspector(async::SimWorld& world, History& history)
      : world_(world), history_(history), client_(world, "inspector") {}

  SimClient& client() { return client_; }
  // Makes the database and the table; the buckets that it has, each of which has a leader.
  std::vector<model::TableBucket> create(const model::TablePath& path, int32_t buckets,
                                         const std::vector<std::string>& partitions = {});
  // The server was started again: epochs have grown, the logs hold what they must.
  void after_restart(Loss loss);
  // Reads all logs once more.
  void read_all(Loss loss);
  // Runs `task` again as long as it fails for a passing reason, for at most half a minute.
  template <class F>
  auto insist(F make_task);
  void close() { run(world_, client_.loop(), client_.close()); }

 private:
  std::vector<BucketState> led_buckets(const model::PhysicalTablePath& path);
  async::Task<Status> read_log(model::TableBucket bucket, Loss loss);

  async::SimWorld& world_;
  History& history_;
  SimClient client_;
  std::vector<model::PhysicalTablePath> tables_;
  std::vector<model::TableBucket> buckets_;
};

}  // namespace strom::sim
