// TimeZone: offsets from UTC, for the names of time partitions. The C++ library in use has no time zone
// database, so the system's files (TZif, RFC 8536) are read here: the one place in this module that touches
// the disk, once per zone. Values only, any thread. Upstream counterpart: java.util.TimeZone.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/bytes.h"
#include "base/result.h"

namespace strom::model {

class TimeZone {
 public:
  TimeZone() = default;  // UTC

  // "UTC", "Z", "GMT+8", "UTC-05:30", "+08:00", or a name of the system's database such as "Asia/Shanghai".
  // kInvalidConfig for anything else.
  static Result<TimeZone> find(std::string_view id);
  // The zone of this machine: $TZ, else /etc/localtime, else UTC.
  static TimeZone of_machine();
  static TimeZone fixed(int32_t offset_seconds);
  // From the bytes of a TZif file.
  static Result<TimeZone> parse_tzif(ByteView file, std::string_view id);

  // Seconds to add to UTC to get local time, at that instant.
  int32_t offset_at(int64_t epoch_seconds) const;

 private:
  struct Rules;
  int32_t fixed_offset_ = 0;
  std::shared_ptr<const Rules> rules_;  // null: fixed_offset_
};

}  // namespace strom::model
