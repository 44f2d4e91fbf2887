// SystemRuntime: the machine: a thread per shard, TCP, the operating system's files and clock.
#pragma once

#include <atomic>
#include <mutex>

#include "async/asio_loop.h"
#include "async/asio_net.h"
#include "async/runtime.h"
#include "async/thread_worker.h"

namespace strom::async {

class SystemRuntime final : public Runtime {
 public:
  struct Config {
    size_t shards = 1;
    size_t pool_threads = 4;
    const Clock* wall_clock = nullptr;  // for clock(); the loops always run on the machine's monotonic time
  };
  // Processors of the machine, at least 1.
  static size_t processors();
  explicit SystemRuntime(Config config);
  // Everything that used it has stopped by then.
  ~SystemRuntime() override = default;

  size_t shards() const override { return loops_.size(); }
  EventLoop& loop(size_t shard) override { return *loops_[shard]; }
  Network& network() override { return network_; }
  Disk& disk() override { return *disk_; }
  Worker& pool() override { return pool_; }
  std::unique_ptr<Worker> make_writer(const std::string& name) override;
  const Clock& clock() const override { return *wall_clock_; }
  uint64_t random() override;

 private:
  SystemClock system_clock_;
  const Clock* wall_clock_;
  std::unique_ptr<Disk> disk_;
  AsioNetwork network_;
  std::mutex random_mutex_;
  std::mt19937_64 random_;
  std::vector<std::unique_ptr<AsioLoop>> loops_;
  ThreadWorker pool_;  // destroyed first: its work may still post to the loops
};

}  // namespace strom::async
