// Budget: a bound on something that requests hold for a while, mostly bytes of memory. Who wants more than is
// free waits in line; nothing is handed out beyond the bound (except one request larger than the whole
// budget, alone). Lives on: one loop. A Reservation may be dropped on any thread: it finds its way back.
#pragma once

#include <deque>
#include <memory>
#include <optional>

#include "async/task.h"
#include "async/wait_list.h"

namespace strom::async {

class Budget;

// What was handed out; gives it back when it goes away.
class Reservation {
 public:
  Reservation() = default;
  Reservation(Reservation&& other) noexcept
      : budget_(std::move(other.budget_)), amount_(std::exchange(other.amount_, 0)) {}
  Reservation& operator=(Reservation&& other) noexcept {
    std::swap(budget_, other.budget_);
    std::swap(amount_, other.amount_);
    return *this;
  }
  ~Reservation();
  size_t amount() const { return amount_; }

 private:
  friend class Budget;
  Reservation(std::shared_ptr<Budget> budget, size_t amount) : budget_(std::move(budget)), amount_(amount) {}
  std::shared_ptr<Budget> budget_;
  size_t amount_ = 0;
};

class Budget : public std::enable_shared_from_this<Budget> {
 public:
  static std::shared_ptr<Budget> create(EventLoop& loop, size_t total) {
    return std::shared_ptr<Budget>(new Budget(loop, total));
  }

  // Waits until `amount` is free, in the order of arrival. Nothing when the deadline passed or its owner
  // stopped.
  Task<std::optional<Reservation>> reserve(size_t amount, Deadline deadline);
  // At once or not at all; never overtakes those who wait.
  std::optional<Reservation> try_reserve(size_t amount);

  size_t total() const { return total_; }
  size_t used() const { return used_; }

 private:
  friend class Reservation;
  Budget(EventLoop& loop, size_t total) : loop_(loop), total_(total) {}
  struct Waiter {
    Waiter(EventLoop& loop, size_t wanted) : amount(wanted), granted(loop) {}
    size_t amount;
    bool served = false;
    WaitList granted;
  };
  bool fits(size_t amount) const { return used_ == 0 || (used_ <= total_ && amount <= total_ - used_); }
  void release(size_t amount);
  void serve();

  EventLoop& loop_;
  const size_t total_;
  size_t used_ = 0;
  std::deque<Waiter*> waiters_;  // in order of arrival; each lives in the frame of its reserve()
};

}  // namespace strom::async
