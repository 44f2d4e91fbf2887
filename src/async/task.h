// Task<T>: a coroutine that produces a T. It starts when it is awaited, and is awaited once:
//     T value = co_await function(arguments);
// or it is given to a TaskScope (async/scope.h), which starts it and waits for it before it goes away. A task
// that was started always runs to its end: cancelling means that its waits return early (async/deadline.h),
// so a coroutine frame is never destroyed while somebody holds its handle. Lives on: the event loop on which
// it was started; every awaitable of this module resumes it there. Exceptions don't cross tasks: one that
// reaches the end of a coroutine ends the process.
#pragma once

#include <coroutine>
#include <exception>
#include <optional>
#include <utility>

#include "base/check.h"

namespace strom::async {

template <class T>
class Task;

namespace internal {

struct PromiseBase {
  std::coroutine_handle<> continuation = std::noop_coroutine();

  struct FinalAwaiter {
    bool await_ready() const noexcept { return false; }
    template <class Promise>
    std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> handle) const noexcept {
      return handle.promise().continuation;
    }
    void await_resume() const noexcept {}
  };

  std::suspend_always initial_suspend() const noexcept { return {}; }
  FinalAwaiter final_suspend() const noexcept { return {}; }
  [[noreturn]] void unhandled_exception() const noexcept { std::terminate(); }
};

template <class T>
struct Promise : PromiseBase {
  std::optional<T> result;
  Task<T> get_return_object();
  template <class U>
  void return_value(U&& value) {
    result.emplace(std::forward<U>(value));
  }
  T take() { return std::move(*result); }
};

template <>
struct Promise<void> : PromiseBase {
  Task<void> get_return_object();
  void return_void() const noexcept {}
  void take() const noexcept {}
};

}  // namespace internal

template <class T = void>
class [[nodiscard]] Task {
 public:
  using promise_type = internal::Promise<T>;
  using value_type = T;

  Task() = default;
  explicit Task(std::coroutine_handle<promise_type> handle) : handle_(handle) {}
  Task(Task&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Task& operator=(Task&& other) noexcept {
    if (this != &other) {
      reset();
      handle_ = std::exchange(other.handle_, nullptr);
    }
    return *this;
  }
  ~Task() { reset(); }

  struct Awaiter {
    std::coroutine_handle<promise_type> handle;
    bool await_ready() const noexcept { return false; }
    std::coroutine_handle<> await_suspend(std::coroutine_handle<> awaiting) const noexcept {
      handle.promise().continuation = awaiting;
      return handle;
    }
    T await_resume() const { return handle.promise().take(); }
  };
  Awaiter operator co_await() && noexcept { return Awaiter{handle_}; }

 private:
  void reset() {
    if (handle_) std::exchange(handle_, nullptr).destroy();
  }
  std::coroutine_handle<promise_type> handle_ = nullptr;
};

template <class T>
Task<T> internal::Promise<T>::get_return_object() {
  return Task<T>(std::coroutine_handle<Promise<T>>::from_promise(*this));
}
inline Task<void> internal::Promise<void>::get_return_object() {
  return Task<void>(std::coroutine_handle<Promise<void>>::from_promise(*this));
}

namespace internal {

// The outermost frame of a chain of tasks: starts at once and frees itself at its end. Only TaskScope and
// join.h use it, and both wait for it.
struct Root {
  struct promise_type {
    Root get_return_object() const noexcept { return {}; }
    std::suspend_never initial_suspend() const noexcept { return {}; }
    std::suspend_never final_suspend() const noexcept { return {}; }
    void return_void() const noexcept {}
    [[noreturn]] void unhandled_exception() const noexcept { std::terminate(); }
  };
};

}  // namespace internal
}  // namespace strom::async
