// EventLoop: one thread's queue of work and timers. A shard of the server is one loop and what it owns.
// Implementations: AsioLoop (a thread of its own) and SimLoop (virtual time, all loops of all hosts in one
// thread).
#pragma once

#include <chrono>
#include <coroutine>
#include <cstdint>
#include <functional>

namespace strom::async {

using Callback = std::move_only_function<void()>;
using Duration = std::chrono::nanoseconds;

// A point of the loop's monotonic time, in nanoseconds.
struct Instant {
  int64_t ns = 0;
  static constexpr Instant never() { return Instant{INT64_MAX}; }
  friend constexpr auto operator<=>(const Instant&, const Instant&) = default;
  friend constexpr Instant operator+(Instant t, Duration d) {
    return t.ns > INT64_MAX - d.count() ? never() : Instant{t.ns + d.count()};
  }
  friend constexpr Duration operator-(Instant a, Instant b) { return Duration(a.ns - b.ns); }
};

using TimerId = uint64_t;
inline constexpr TimerId kNoTimer = 0;

class EventLoop {
 public:
  virtual ~EventLoop() = default;

  // Runs `work` on the loop, after what was posted before it. Any thread.
  virtual void post(Callback work) = 0;
  // Runs `work` on the loop at `when` or soon after it. Loop thread only, as all that follows.
  virtual TimerId schedule(Instant when, Callback work) = 0;
  // Forgets a timer; without effect when it has run already.
  virtual void cancel(TimerId timer) = 0;
  virtual Instant now() const = 0;
  // True when the caller runs on this loop. Any thread.
  virtual bool is_current() const = 0;

  void resume_later(std::coroutine_handle<> handle) {
    post([handle] { handle.resume(); });
  }
};

}  // namespace strom::async
