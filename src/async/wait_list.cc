#include "async/wait_list.h"

namespace strom::async {

WaitList::~WaitList() { STROM_CHECK(first_ == nullptr, "a task still waits for what is being destroyed"); }

bool WaitList::Awaiter::await_ready() {
  if (deadline_.stopped()) {
    result_ = WaitResult::kStopped;
    return true;
  }
  if (deadline_.passed(list_.loop_)) {
    result_ = WaitResult::kTimeout;
    return true;
  }
  return false;
}

void WaitList::Awaiter::await_suspend(std::coroutine_handle<> handle) {
  handle_ = handle;
  previous_ = list_.last_;
  (list_.last_ ? list_.last_->next_ : list_.first_) = this;
  list_.last_ = this;
  if (deadline_.at != Instant::never()) {
    timer_ = list_.loop_.schedule(deadline_.at, [this] {
      timer_ = kNoTimer;
      finish(WaitResult::kTimeout);
    });
  }
  if (deadline_.stop != nullptr) {
    stop_.arm(
        deadline_.stop, [](void* self) { static_cast<Awaiter*>(self)->finish(WaitResult::kStopped); }, this);
  }
}

void WaitList::Awaiter::finish(WaitResult result) {
  result_ = result;
  list_.unlink(this);
  stop_.disarm();
  if (timer_ != kNoTimer) list_.loop_.cancel(timer_);
  timer_ = kNoTimer;
  list_.loop_.resume_later(handle_);
}

void WaitList::unlink(Awaiter* awaiter) {
  (awaiter->previous_ ? awaiter->previous_->next_ : first_) = awaiter->next_;
  (awaiter->next_ ? awaiter->next_->previous_ : last_) = awaiter->previous_;
  awaiter->previous_ = awaiter->next_ = nullptr;
}

void WaitList::notify_one() {
  if (first_ != nullptr) first_->finish(WaitResult::kReady);
}

void WaitList::notify_all() {
  while (first_ != nullptr) first_->finish(WaitResult::kReady);
}

}  // namespace strom::async
