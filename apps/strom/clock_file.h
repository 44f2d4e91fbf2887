// ClockFile: for tests, the wall clock is a file that another process sets (strom.test.clock-file). The file
// is mapped shared and read anew for each question: bytes 0..7 are milliseconds since 1970-01-01T00:00:00Z,
// bytes 8..15 the same in nanoseconds, which nothing here needs, both little-endian. Timers go on by the
// machine's own clock. Any thread.
#pragma once

#include <memory>
#include <string>

#include "base/clock.h"
#include "base/result.h"

namespace strom::app {

class ClockFile final : public Clock {
 public:
  // kInvalidConfig when there is no such file, or it is shorter than 16 bytes.
  static Result<std::unique_ptr<ClockFile>> open(const std::string& path);
  ~ClockFile() override;
  ClockFile(const ClockFile&) = delete;
  ClockFile& operator=(const ClockFile&) = delete;

  int64_t wall_ms() const override;
  int64_t monotonic_ns() const override { return machine_.monotonic_ns(); }

 private:
  explicit ClockFile(const int64_t* millis) : millis_(millis) {}

  const int64_t* millis_;  // into the mapping
  SystemClock machine_;
};

}  // namespace strom::app
