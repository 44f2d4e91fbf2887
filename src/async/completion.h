// Completion<T>: one value handed from any thread to a task that waits for it on its loop.
//     auto completion = std::make_shared<Completion<Status>>(loop);
//     worker.submit([completion] { completion->set(write()); });
//     Status status = co_await completion->get();
// There is no deadline: whoever took the other end sets it, in any case. Both ends hold it by shared_ptr.
#pragma once

#include <atomic>
#include <coroutine>
#include <optional>

#include "async/event_loop.h"

namespace strom::async {

template <class T>
class Completion {
 public:
  explicit Completion(EventLoop& loop) : loop_(loop) {}

  // Any thread, once.
  void set(T value) {
    value_.emplace(std::move(value));
    if (state_.exchange(kSet, std::memory_order_acq_rel) == kWaiting) loop_.resume_later(handle_);
  }

  bool ready() const { return state_.load(std::memory_order_acquire) == kSet; }

  struct Awaiter {
    Completion& completion;
    bool await_ready() const { return completion.ready(); }
    bool await_suspend(std::coroutine_handle<> handle) const {
      completion.handle_ = handle;
      int expected = kEmpty;
      return completion.state_.compare_exchange_strong(expected, kWaiting, std::memory_order_acq_rel);
    }
    T await_resume() const { return std::move(*completion.value_); }
  };
  // The loop's thread, once.
  Awaiter get() { return Awaiter{*this}; }

 private:
  static constexpr int kEmpty = 0;
  static constexpr int kWaiting = 1;
  static constexpr int kSet = 2;

  EventLoop& loop_;
  std::atomic<int> state_ = kEmpty;
  std::coroutine_handle<> handle_;
  std::optional<T> value_;
};

}  // namespace strom::async
