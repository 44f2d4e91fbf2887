#include "log/index_file.h"

#include "base/endian.h"

namespace strom::log {

void OffsetEntry::encode(uint8_t* to) const {
  store_be(to, relative_offset);
  store_be(to + 4, position);
}

OffsetEntry OffsetEntry::decode(const uint8_t* from) {
  return {load_be<int32_t>(from), load_be<int32_t>(from + 4)};
}

void TimeEntry::encode(uint8_t* to) const {
  store_be(to, timestamp);
  store_be(to + 8, relative_offset);
}

TimeEntry TimeEntry::decode(const uint8_t* from) {
  return {load_be<int64_t>(from), load_be<int32_t>(from + 8)};
}

}  // namespace strom::log
