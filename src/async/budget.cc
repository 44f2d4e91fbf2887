#include "async/budget.h"

namespace strom::async {

Reservation::~Reservation() {
  if (budget_ == nullptr || amount_ == 0) return;
  Budget& budget = *budget_;
  if (budget.loop_.is_current()) {
    budget.release(amount_);
  } else {
    budget.loop_.post([owner = std::move(budget_), amount = amount_] { owner->release(amount); });
  }
}

void Budget::release(size_t amount) {
  STROM_CHECK(amount <= used_, "{} given back of {} in use", amount, used_);
  used_ -= amount;
  serve();
}

void Budget::serve() {
  while (!waiters_.empty() && fits(waiters_.front()->amount)) {
    Waiter* waiter = waiters_.front();
    waiters_.pop_front();
    used_ += waiter->amount;
    waiter->served = true;
    waiter->granted.notify_all();
  }
}

std::optional<Reservation> Budget::try_reserve(size_t amount) {
  if (!waiters_.empty() || !fits(amount)) return std::nullopt;
  used_ += amount;
  return Reservation(shared_from_this(), amount);
}

Task<std::optional<Reservation>> Budget::reserve(size_t amount, Deadline deadline) {
  auto self = shared_from_this();
  if (auto at_once = try_reserve(amount)) co_return std::move(at_once);
  Waiter waiter(loop_, amount);
  waiters_.push_back(&waiter);
  WaitResult result = WaitResult::kReady;
  while (!waiter.served && result == WaitResult::kReady) result = co_await waiter.granted.wait(deadline);
  if (waiter.served) co_return Reservation(std::move(self), amount);
  std::erase(waiters_, &waiter);
  serve();  // those behind may fit now
  co_return std::nullopt;
}

}  // namespace strom::async
