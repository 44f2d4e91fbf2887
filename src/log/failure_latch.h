// FailureLatch: the first failure of something that never works again after it. Any thread.
#pragma once

#include <atomic>
#include <mutex>
#include <optional>

#include "base/result.h"

namespace strom::log {

class FailureLatch {
 public:
  // Returns true when this is the first failure, which is kept; later ones change nothing.
  bool set(Error error) {
    std::lock_guard lock(mutex_);
    if (error_) return false;
    error_ = std::move(error);
    failed_.store(true, std::memory_order_release);
    return true;
  }
  std::optional<Error> get() const {
    if (!failed_.load(std::memory_order_acquire)) return std::nullopt;
    std::lock_guard lock(mutex_);
    return error_;
  }

 private:
  std::atomic<bool> failed_ = false;
  mutable std::mutex mutex_;
  std::optional<Error> error_;
};

}  // namespace strom::log
