#include "base/crc32c.h"

#include <isa-l/crc.h>

namespace strom {

uint32_t crc32c(ByteView bytes, uint32_t seed) {
  // The library's function takes and returns the register without the final complement, and counts bytes in
  // an int.
  uint32_t state = ~seed;
  constexpr size_t kChunk = 1 << 30;
  while (!bytes.empty()) {
    size_t count = bytes.size() < kChunk ? bytes.size() : kChunk;
    state = crc32_iscsi(const_cast<unsigned char*>(bytes.data()), static_cast<int>(count), state);
    bytes = bytes.subspan(count);
  }
  return ~state;
}

}  // namespace strom
