// TaskScope: the owner of background tasks. Nothing runs without one. stop() refuses new tasks, ends the
// waits of the running ones, and returns when the last has finished; only then may the owner be destroyed.
// Lives on: one loop.
#pragma once

#include "async/deadline.h"
#include "async/task.h"
#include "async/wait_list.h"

namespace strom::async {

class TaskScope {
 public:
  explicit TaskScope(EventLoop& loop) : loop_(loop), finished_(loop) {}
  TaskScope(const TaskScope&) = delete;
  TaskScope& operator=(const TaskScope&) = delete;
  ~TaskScope();

  // Starts `task` at once, up to its first wait. Returns false, without starting it, when the scope is
  // stopping. Arguments of the task's coroutine must be values: what they refer to must outlive the scope.
  bool spawn(Task<void> task);

  // Ends every wait that has this scope's stop source in its deadline, and waits until all tasks have
  // finished.
  Task<void> stop();
  void request_stop() { stop_source_.request_stop(); }
  bool stopping() const { return stop_source_.stop_requested(); }

  StopSource& stop_source() { return stop_source_; }
  Deadline deadline_after(Duration duration) { return Deadline::after(loop_, duration, &stop_source_); }
  Deadline until_stopped() { return Deadline::until_stopped(stop_source_); }
  EventLoop& loop() const { return loop_; }
  size_t running() const { return running_; }

 private:
  internal::Root run(Task<void> task);

  EventLoop& loop_;
  StopSource stop_source_;
  WaitList finished_;
  size_t running_ = 0;
};

}  // namespace strom::async
