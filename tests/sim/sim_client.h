// SimClient: a Fluss client on a machine of its own in the simulator: one connection, made anew when it
// broke, and the requests that the scenarios need. It retries nothing: the callers decide. Lives on: the loop
// of its machine.
#pragma once

#include <memory>
#include <string>

#include "async/join.h"
#include "async/sim.h"
#include "model/table_bucket.h"
#include "model/table_path.h"
#include "rpc/messages/fetch_log.h"
#include "rpc/messages/produce_log.h"
#include "rpc/tcp_channel.h"
#include "rpc/typed.h"

namespace strom::sim {

inline const char* const kServer = "server-0";

// What a client learns about one bucket from the metadata.
struct BucketState {
  model::TableBucket bucket;
  int32_t leader = -1;
  int32_t leader_epoch = -1;
};

class SimClient {
 public:
  SimClient(async::SimWorld& world, const std::string& name);
  // After close(), which has run to its end.
  ~SimClient();

  const std::string& name() const { return name_; }
  async::SimWorld& world() { return world_; }
  async::EventLoop& loop() { return runtime_->loop(0); }

  async::Task<Status> connect();
  async::Task<Status> create_database(std::string name);
  // A log table of one column, in the INDEXED format; partitioned by a second column `p` when asked for.
  async::Task<Status> create_table(model::TablePath path, int32_t buckets, bool partitioned);
  async::Task<Status> drop_table(model::TablePath path);
  async::Task<Status> create_partition(model::TablePath path, std::string value);
  async::Task<Status> drop_partition(model::TablePath path, std::string value);
  async::Task<Result<bool>> table_exists(model::TablePath path);
  async::Task<Result<model::TableId>> table_id(model::TablePath path);
  async::Task<Result<std::vector<std::string>>> partitions(model::TablePath path);
  // Of a table, or of one partition.
  async::Task<Result<std::vector<BucketState>>> buckets(model::PhysicalTablePath path);
  async::Task<Result<model::WriterId>> init_writer();
  async::Task<Result<rpc::ProduceLogResponse>> produce(rpc::ProduceLogRequest request);
  async::Task<Result<rpc::FetchLogResponse>> fetch(rpc::FetchLogRequest request);
  async::Task<Result<model::Offset>> latest_offset(model::TableBucket bucket);

  async::Task<void> close();

 private:
  using Channel = std::shared_ptr<rpc::TcpChannel>;
  async::Task<Result<Channel>> channel();
  async::Deadline deadline() { return async::Deadline::after(loop(), std::chrono::seconds(10)); }
  template <rpc::ApiKey kKey>
  async::Task<Result<typename rpc::ApiMessages<kKey>::Response>> call(
      typename rpc::ApiMessages<kKey>::Request request);

  async::SimWorld& world_;
  std::string name_;
  std::unique_ptr<async::SimRuntime> runtime_;
  Channel channel_;
  bool connecting_ = false;
  async::WaitList connected_;
};

template <class T>
async::Task<void> keep_result(async::Task<T> task, std::optional<T>& result) {
  result.emplace(co_await std::move(task));
}

// Runs the world until the task, started on `loop`, has ended.
template <class T>
T run(async::SimWorld& world, async::EventLoop& loop, async::Task<T> task) {
  std::optional<T> result;
  async::TaskScope scope(loop);
  loop.post([&] { scope.spawn(keep_result(std::move(task), result)); });
  const bool ended =
      world.run_until([&] { return result.has_value() && scope.running() == 0; }, std::chrono::hours(1));
  STROM_CHECK(ended, "a task does not end in an hour of virtual time; seed {}", world.seed());
  return *std::move(result);
}

inline async::Task<bool> then_true(async::Task<void> task) {
  co_await std::move(task);
  co_return true;
}
inline void run(async::SimWorld& world, async::EventLoop& loop, async::Task<void> task) {
  run(world, loop, then_true(std::move(task)));
}

}  // namespace strom::sim
