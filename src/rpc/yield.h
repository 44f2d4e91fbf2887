// co_await Yield{loop}: lets what was posted to the loop before run first.
#pragma once

#include <coroutine>

#include "async/event_loop.h"

namespace strom::rpc {

struct Yield {
  async::EventLoop& loop;
  bool await_ready() const { return false; }
  void await_suspend(std::coroutine_handle<> handle) const { loop.resume_later(handle); }
  void await_resume() const {}
};

}  // namespace strom::rpc
