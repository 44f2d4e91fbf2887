#include "async/thread_worker.h"

#include <pthread.h>

namespace strom::async {

ThreadWorker::ThreadWorker(size_t threads, const std::string& name) {
  for (size_t i = 0; i < threads; ++i) {
    threads_.emplace_back([this, name] {
      pthread_setname_np(pthread_self(), name.substr(0, 15).c_str());
      run();
    });
  }
}

ThreadWorker::~ThreadWorker() {
  {
    std::lock_guard lock(mutex_);
    closing_ = true;
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void ThreadWorker::submit(Callback work) {
  {
    std::lock_guard lock(mutex_);
    queue_.push_back(std::move(work));
  }
  changed_.notify_one();
}

void ThreadWorker::run() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return closing_ || !queue_.empty(); });
    if (queue_.empty()) return;
    Callback work = std::move(queue_.front());
    queue_.pop_front();
    lock.unlock();
    work();
    work = nullptr;  // frees what the work owns before the next wait
    lock.lock();
  }
}

}  // namespace strom::async
