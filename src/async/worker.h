// Worker: threads for calls that may block, off the shards. One thread keeps the order of submission (the
// writer of a data directory), several don't (the pool for cold reads, opening and scanning files).
// Implementations: ThreadWorker; SimWorker (runs the work in the simulator's thread after a time of the
// seed's choice).
#pragma once

#include <memory>
#include <type_traits>

#include "async/completion.h"
#include "async/event_loop.h"
#include "async/task.h"

namespace strom::async {

class Worker {
 public:
  virtual ~Worker() = default;
  // Runs `work` on a thread of the worker. Any thread. Work submitted before the worker is destroyed is run.
  virtual void submit(Callback work) = 0;
};

// Runs `function()` on `worker` and resumes on `loop` with its value. `function` must own what it uses.
template <class F, class R = std::invoke_result_t<F>>
Task<R> run_on(Worker& worker, EventLoop& loop, F function) {
  auto completion = std::make_shared<Completion<R>>(loop);
  worker.submit([completion, work = std::move(function)]() mutable { completion->set(work()); });
  co_return co_await completion->get();
}

}  // namespace strom::async
