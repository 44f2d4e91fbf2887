// CRC32C (Castagnoli), the checksum of record batches. Any thread.
#pragma once

#include "base/bytes.h"

namespace strom {

// Checksum of `bytes`, or of what `seed` covers followed by `bytes`.
uint32_t crc32c(ByteView bytes, uint32_t seed = 0);

}  // namespace strom
