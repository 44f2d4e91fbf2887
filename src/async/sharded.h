// Sharded<T>: one T per shard, each touched by its own loop only. Another shard is reached by on(): values
// cross, references don't.
#pragma once

#include <memory>
#include <type_traits>
#include <vector>

#include "async/completion.h"
#include "async/scope.h"
#include "async/task.h"

namespace strom::async {

using ShardId = size_t;

namespace internal {
template <class R>
struct TaskValue {
  using type = R;
  static constexpr bool is_task = false;
};
template <class R>
struct TaskValue<Task<R>> {
  using type = R;
  static constexpr bool is_task = true;
};
}  // namespace internal

template <class T>
class Sharded {
 public:
  // `instances[i]` belongs to `scopes[i]`'s loop. Both outlive the Sharded.
  Sharded(std::vector<T*> instances, std::vector<TaskScope*> scopes)
      : instances_(std::move(instances)), scopes_(std::move(scopes)) {}

  size_t size() const { return instances_.size(); }
  // Only on the shard's own loop.
  T& local(ShardId shard) { return *instances_[shard]; }
  EventLoop& loop(ShardId shard) { return scopes_[shard]->loop(); }

  // Runs `function(T&)` on `shard` and resumes on `from`, the caller's loop, with its value. `function`
  // returns a value or a Task of one; it owns all that it uses. Calls from one loop reach a shard in the
  // order in which they were started. A shard that is stopping runs nothing more: the caller then gets
  // `refused`, a value, or what `refused()` returns, which is made only then.
  template <class F, class Refused, class R = typename internal::TaskValue<std::invoke_result_t<F, T&>>::type>
  Task<R> on(EventLoop& from, ShardId shard, F function, Refused refused) {
    if (&loop(shard) == &from) {
      if constexpr (internal::TaskValue<std::invoke_result_t<F, T&>>::is_task) {
        co_return co_await function(*instances_[shard]);
      } else {
        co_return function(*instances_[shard]);
      }
    }
    auto completion = std::make_shared<Completion<R>>(from);
    loop(shard).post(
        [this, shard, completion, work = std::move(function), no = std::move(refused)]() mutable {
          if (scopes_[shard]->stopping()) return completion->set(refusal<R>(no));
          scopes_[shard]->spawn(run(*instances_[shard], std::move(work), completion));
        });
    co_return co_await completion->get();
  }

 private:
  template <class R, class Refused>
  static R refusal(Refused& refused) {
    if constexpr (std::is_invocable_v<Refused&>) {
      return R(refused());
    } else {
      return R(std::move(refused));
    }
  }

  template <class F, class R>
  static Task<void> run(T& instance, F function, std::shared_ptr<Completion<R>> completion) {
    if constexpr (internal::TaskValue<std::invoke_result_t<F, T&>>::is_task) {
      completion->set(co_await function(instance));
    } else {
      completion->set(function(instance));
    }
    co_return;
  }

  std::vector<T*> instances_;
  std::vector<TaskScope*> scopes_;
};

}  // namespace strom::async
