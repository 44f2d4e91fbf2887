// Runs a task to its end from a test, on any Runtime.
#pragma once

#include <atomic>
#include <condition_variable>
#include <filesystem>
#include <mutex>

#include <gtest/gtest.h>

#include "async/scope.h"
#include "async/sim.h"
#include "async/system_runtime.h"

namespace strom::async {

// A machine or a simulated one, with a directory for files. Contract tests run on both.
class TestRuntime {
 public:
  virtual ~TestRuntime() = default;
  virtual Runtime& runtime() = 0;
  virtual std::string directory() = 0;
  // Runs `done` until it holds; fails the test after 30 s of the runtime's time.
  virtual void run_until(std::function<bool()> done) = 0;

  // Starts the task that `make` returns on `shard` and runs until it has finished.
  template <class F>
  void run(F make, size_t shard = 0) {
    std::atomic<bool> finished = false;
    EventLoop& loop = runtime().loop(shard);
    auto scope = std::make_unique<TaskScope>(loop);
    loop.post([&] { scope->spawn(finish(make(), finished)); });
    run_until([&] { return finished.load(); });
    std::atomic<bool> gone = false;
    loop.post([&] {
      scope.reset();
      gone = true;
    });
    run_until([&] { return gone.load(); });
  }

 private:
  static Task<void> finish(Task<void> task, std::atomic<bool>& finished) {
    co_await std::move(task);
    finished = true;
  }
};

// kind: "system" or "simulated".
std::unique_ptr<TestRuntime> make_test_runtime(const std::string& kind, size_t shards = 2, uint64_t seed = 1);

}  // namespace strom::async
