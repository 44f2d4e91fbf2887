// WaitList: tasks that wait for something to happen to what one loop owns: an append, a watermark, room in a
// queue. Lives on: one loop. Waiters are resumed in the order in which they came, from the loop's queue
// (never inside notify).
#pragma once

#include <coroutine>

#include "async/deadline.h"
#include "async/event_loop.h"

namespace strom::async {

class WaitList {
 public:
  explicit WaitList(EventLoop& loop) : loop_(loop) {}
  WaitList(const WaitList&) = delete;
  WaitList& operator=(const WaitList&) = delete;
  ~WaitList();

  class Awaiter {
   public:
    Awaiter(WaitList& list, Deadline deadline) : list_(list), deadline_(deadline) {}
    Awaiter(const Awaiter&) = delete;
    Awaiter& operator=(const Awaiter&) = delete;
    bool await_ready();
    void await_suspend(std::coroutine_handle<> handle);
    WaitResult await_resume() const { return result_; }

   private:
    friend class WaitList;
    void finish(WaitResult result);

    WaitList& list_;
    Deadline deadline_;
    std::coroutine_handle<> handle_;
    WaitResult result_ = WaitResult::kReady;
    TimerId timer_ = kNoTimer;
    StopCallback stop_;
    Awaiter* previous_ = nullptr;
    Awaiter* next_ = nullptr;
  };

  // co_await list.wait(deadline): kReady when notified after this call, else why not. Check the condition
  // again after it.
  [[nodiscard]] Awaiter wait(Deadline deadline) { return Awaiter(*this, deadline); }
  void notify_all();
  void notify_one();
  bool empty() const { return first_ == nullptr; }
  EventLoop& loop() const { return loop_; }

 private:
  void unlink(Awaiter* awaiter);

  EventLoop& loop_;
  Awaiter* first_ = nullptr;
  Awaiter* last_ = nullptr;
};

// co_await sleep_until(loop, deadline): kTimeout when the time has come, kStopped when the owner stops.
class Sleep {
 public:
  Sleep(EventLoop& loop, Deadline deadline) : list_(loop), awaiter_(list_, deadline) {}
  bool await_ready() { return awaiter_.await_ready(); }
  void await_suspend(std::coroutine_handle<> handle) { awaiter_.await_suspend(handle); }
  WaitResult await_resume() const { return awaiter_.await_resume(); }

 private:
  WaitList list_;
  WaitList::Awaiter awaiter_;
};

inline Sleep sleep_until(EventLoop& loop, Deadline deadline) { return Sleep(loop, deadline); }
inline Sleep sleep_for(EventLoop& loop, Duration duration, StopSource* stop = nullptr) {
  return Sleep(loop, Deadline::after(loop, duration, stop));
}

}  // namespace strom::async
