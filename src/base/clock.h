// Time. Everything that needs the time is given a Clock; nothing calls the system clock itself, so that tests
// and the simulator own the time.
#pragma once

#include <chrono>
#include <cstdint>

namespace strom {

using Millis = std::chrono::milliseconds;

class Clock {
 public:
  virtual ~Clock() = default;
  // Milliseconds since 1970-01-01T00:00:00Z; may jump when the machine's clock is set.
  virtual int64_t wall_ms() const = 0;
  // Nanoseconds since an arbitrary start; never goes back.
  virtual int64_t monotonic_ns() const = 0;
};

// The machine's clocks. Any thread.
class SystemClock final : public Clock {
 public:
  int64_t wall_ms() const override;
  int64_t monotonic_ns() const override;
};

// A clock that only moves when told to. One thread.
class ManualClock final : public Clock {
 public:
  explicit ManualClock(int64_t wall_ms = 1'700'000'000'000) : wall_ns_(wall_ms * 1'000'000) {}
  int64_t wall_ms() const override { return wall_ns_ / 1'000'000; }
  int64_t monotonic_ns() const override { return monotonic_ns_; }
  void advance(std::chrono::nanoseconds by) {
    wall_ns_ += by.count();
    monotonic_ns_ += by.count();
  }

 private:
  int64_t wall_ns_;
  int64_t monotonic_ns_ = 0;
};

}  // namespace strom
