// Deadline: until when a wait may last, and who may end it early. Every wait takes one.
#pragma once

#include <algorithm>

#include "async/event_loop.h"
#include "async/stop.h"

namespace strom::async {

enum class WaitResult {
  kReady,    // what was waited for happened
  kTimeout,  // the deadline passed
  kStopped,  // the owner is shutting down
};

struct Deadline {
  Instant at = Instant::never();
  StopSource* stop = nullptr;  // of the same loop; may be null

  static Deadline after(EventLoop& loop, Duration duration, StopSource* stop = nullptr) {
    return {loop.now() + duration, stop};
  }
  // No time limit: only for waits that `stop` surely ends.
  static Deadline until_stopped(StopSource& stop) { return {Instant::never(), &stop}; }
  bool passed(const EventLoop& loop) const { return loop.now() >= at; }
  bool stopped() const { return stop != nullptr && stop->stop_requested(); }
  Deadline earlier(Instant other) const { return {std::min(at, other), stop}; }
};

}  // namespace strom::async
