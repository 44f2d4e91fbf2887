// AsioLoop: an event loop on a thread of its own, over Boost.Asio (epoll).
#pragma once

#include <memory>

#include "async/event_loop.h"
#include "base/clock.h"

namespace boost::asio {
class io_context;
}

namespace strom::async {

class AsioLoop final : public EventLoop {
 public:
  // `clock` gives the monotonic time and outlives the loop. The thread starts at once; `name` shows in thread
  // lists.
  AsioLoop(const Clock& clock, const std::string& name);
  // Runs what is queued, then ends the thread. Timers that are left don't run.
  ~AsioLoop() override;

  void post(Callback work) override;
  TimerId schedule(Instant when, Callback work) override;
  void cancel(TimerId timer) override;
  Instant now() const override;
  bool is_current() const override;

  boost::asio::io_context& io_context();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace strom::async
