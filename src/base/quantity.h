// Durations and memory sizes as they are written in configuration and table properties: "10 min", "500ms",
// "7d", "10mb". Pure, any thread. Upstream counterparts: utils/TimeUtils, config/MemorySize.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"

namespace strom {

// A number and a unit, spaces allowed around both, the unit in any case: d|day(s), h|hour(s),
// min|m|minute(s), s|sec(s)|second(s), ms|milli(s)|millisecond(s), µs|micro(s)|microsecond(s),
// ns|nano(s)|nanosecond(s). Less than a millisecond is cut off. kInvalidConfig says what is wrong; the caller
// adds the key.
Result<Millis> parse_duration(std::string_view text);
std::string format_duration(Millis duration);  // in the largest unit that loses nothing: "7 d", "90 s"

// A number and a unit of powers of 1024: b|bytes, k|kb|kibibytes, m|mb|mebibytes, g|gb|gibibytes,
// t|tb|tebibytes.
Result<int64_t> parse_memory_size(std::string_view text);
std::string format_memory_size(int64_t bytes);  // "1gb", "1500b"

}  // namespace strom
