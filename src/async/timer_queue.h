// TimerQueue: the timers of one loop, by time and then by order of creation. One thread.
#pragma once

#include <map>
#include <unordered_map>

#include "async/event_loop.h"

namespace strom::async {

class TimerQueue {
 public:
  TimerId add(Instant when, Callback work);
  void cancel(TimerId timer);
  bool empty() const { return timers_.empty(); }
  // Time of the first timer; never() when there is none.
  Instant next() const { return timers_.empty() ? Instant::never() : timers_.begin()->first.first; }
  // Takes the first timer out when its time has come; an empty callback when none is due.
  Callback pop_due(Instant now);
  // Drops all timers without running them.
  void clear();

 private:
  std::map<std::pair<Instant, TimerId>, Callback> timers_;
  std::unordered_map<TimerId, Instant> times_;
  TimerId last_id_ = kNoTimer;
};

}  // namespace strom::async
