// Started<T> and when_all: several tasks at once on one loop.
//     auto first = start(loop, read(a));      // runs up to its first wait
//     auto second = start(loop, read(b));
//     use(co_await first.join(), co_await second.join());
// A Started must be joined before it goes away.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "async/task.h"
#include "async/wait_list.h"

namespace strom::async {

template <class T>
class [[nodiscard]] Started {
 public:
  Started(EventLoop& loop, Task<T> task) : state_(std::make_unique<State>(loop)) {
    run(state_.get(), std::move(task));
  }
  Started(Started&&) noexcept = default;
  Started& operator=(Started&&) noexcept = default;
  ~Started() { STROM_CHECK(state_ == nullptr || state_->result, "a started task was not joined"); }

  bool done() const { return state_->result.has_value(); }
  Task<T> join() {
    while (!state_->result) co_await state_->finished.wait(Deadline{});
    co_return std::move(*state_->result);
  }

 private:
  struct State {
    explicit State(EventLoop& loop) : finished(loop) {}
    WaitList finished;
    std::optional<T> result;
  };
  static internal::Root run(State* state, Task<T> task) {
    state->result.emplace(co_await std::move(task));
    state->finished.notify_all();
  }
  std::unique_ptr<State> state_;
};

template <class T>
Started<T> start(EventLoop& loop, Task<T> task) {
  return Started<T>(loop, std::move(task));
}

// Runs all tasks at once, starting them in order; the results are in the order of the tasks.
template <class T>
Task<std::vector<T>> when_all(EventLoop& loop, std::vector<Task<T>> tasks) {
  std::vector<Started<T>> started;
  started.reserve(tasks.size());
  for (Task<T>& task : tasks) started.push_back(start(loop, std::move(task)));
  std::vector<T> results;
  results.reserve(started.size());
  for (Started<T>& one : started) results.push_back(co_await one.join());
  co_return results;
}

}  // namespace strom::async
