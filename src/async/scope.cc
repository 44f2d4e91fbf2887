#include "async/scope.h"

namespace strom::async {

TaskScope::~TaskScope() {
  STROM_CHECK(running_ == 0, "{} tasks still run in a scope that goes away", running_);
}

bool TaskScope::spawn(Task<void> task) {
  if (stopping()) return false;
  ++running_;
  run(std::move(task));
  return true;
}

internal::Root TaskScope::run(Task<void> task) {
  co_await std::move(task);
  if (--running_ == 0) finished_.notify_all();
}

Task<void> TaskScope::stop() {
  if (!stopping()) stop_source_.request_stop();
  while (running_ > 0) co_await finished_.wait(Deadline{});
}

}  // namespace strom::async
