#include "async/asio_loop.h"

#include <atomic>
#include <thread>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <pthread.h>

#include "async/timer_queue.h"

namespace strom::async {

struct AsioLoop::State {
  explicit State(const Clock& c) : clock(c) {}

  void arm() {
    Instant next = timers.next();
    if (next >= armed_for) return;
    armed_for = next;
    wake.expires_after(std::max(next - Instant{clock.monotonic_ns()}, Duration(0)));
    wake.async_wait([this](const boost::system::error_code& error) {
      if (!error) fire();
    });
  }

  void fire() {
    armed_for = Instant::never();
    const Instant now{clock.monotonic_ns()};
    while (Callback work = timers.pop_due(now)) work();
    arm();
  }

  const Clock& clock;
  boost::asio::io_context io{1};
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> guard{io.get_executor()};
  boost::asio::steady_timer wake{io};
  TimerQueue timers;
  Instant armed_for = Instant::never();
  std::atomic<std::thread::id> thread_id;
  std::thread thread;
};

AsioLoop::AsioLoop(const Clock& clock, const std::string& name) : state_(std::make_unique<State>(clock)) {
  state_->thread = std::thread([state = state_.get(), name] {
    pthread_setname_np(pthread_self(), name.substr(0, 15).c_str());
    state->thread_id = std::this_thread::get_id();
    state->io.run();
  });
}

AsioLoop::~AsioLoop() {
  post([state = state_.get()] {
    state->timers.clear();
    state->wake.cancel();
    state->guard.reset();
  });
  state_->thread.join();
}

void AsioLoop::post(Callback work) { boost::asio::post(state_->io, std::move(work)); }

TimerId AsioLoop::schedule(Instant when, Callback work) {
  TimerId timer = state_->timers.add(when, std::move(work));
  state_->arm();
  return timer;
}

void AsioLoop::cancel(TimerId timer) { state_->timers.cancel(timer); }

Instant AsioLoop::now() const { return Instant{state_->clock.monotonic_ns()}; }

bool AsioLoop::is_current() const { return state_->thread_id.load() == std::this_thread::get_id(); }

boost::asio::io_context& AsioLoop::io_context() { return state_->io; }

}  // namespace strom::async
