#include "async/system_runtime.h"

#include "async/posix_disk.h"

namespace strom::async {

SystemRuntime::SystemRuntime(Config config)
    : wall_clock_(config.wall_clock != nullptr ? config.wall_clock : &system_clock_),
      disk_(make_posix_disk()),
      random_(std::random_device{}()),
      pool_(config.pool_threads, "strom-pool") {
  for (size_t i = 0; i < config.shards; ++i) {
    loops_.push_back(std::make_unique<AsioLoop>(system_clock_, "strom-shard-" + std::to_string(i)));
  }
}

size_t SystemRuntime::processors() { return std::max(1u, std::thread::hardware_concurrency()); }

std::unique_ptr<Worker> SystemRuntime::make_writer(const std::string& name) {
  return std::make_unique<ThreadWorker>(1, name);
}

uint64_t SystemRuntime::random() {
  std::lock_guard lock(random_mutex_);
  return random_();
}

}  // namespace strom::async
