// ThreadWorker: a Worker with threads of its own.
#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "async/worker.h"

namespace strom::async {

class ThreadWorker final : public Worker {
 public:
  ThreadWorker(size_t threads, const std::string& name);
  // Runs all that was submitted, then ends the threads.
  ~ThreadWorker() override;
  void submit(Callback work) override;

 private:
  void run();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Callback> queue_;
  bool closing_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace strom::async
