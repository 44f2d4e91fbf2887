#include "async/timer_queue.h"

namespace strom::async {

TimerId TimerQueue::add(Instant when, Callback work) {
  TimerId timer = ++last_id_;
  timers_.emplace(std::pair(when, timer), std::move(work));
  times_.emplace(timer, when);
  return timer;
}

void TimerQueue::cancel(TimerId timer) {
  auto found = times_.find(timer);
  if (found == times_.end()) return;
  timers_.erase({found->second, timer});
  times_.erase(found);
}

Callback TimerQueue::pop_due(Instant now) {
  if (timers_.empty() || timers_.begin()->first.first > now) return {};
  auto node = timers_.extract(timers_.begin());
  times_.erase(node.key().second);
  return std::move(node.mapped());
}

void TimerQueue::clear() {
  timers_.clear();
  times_.clear();
}

}  // namespace strom::async
