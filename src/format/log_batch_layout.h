// Where the fields of a log batch lie, by magic. Shared by what reads, builds and rewrites batches; everyone
// else goes through log_batch.h. Format: docs/formats/log-batch.md. Upstream counterpart:
// record/LogRecordBatchFormat.
#pragma once

#include <cstddef>

#include "format/log_batch.h"

namespace strom::format::layout {

// The same in every magic.
inline constexpr size_t kBaseOffset = 0;
inline constexpr size_t kLength = 8;
inline constexpr size_t kMagic = 12;
inline constexpr size_t kCommitTimestamp = 13;

struct Fields {
  size_t leader_epoch;  // 0: the magic has no such field
  size_t crc;
  size_t schema;  // the CRC covers everything from here
  size_t attributes;
  size_t last_offset_delta;
  size_t writer;
  size_t sequence;
  size_t record_count;
  size_t statistics_size;  // 0: the magic has no such field
  size_t header_size;
};

inline constexpr Fields kFields[] = {
    {0, 21, 25, 27, 28, 32, 40, 44, 0, 48},
    {0, 21, 25, 27, 28, 32, 40, 44, 48, 52},
    {21, 25, 29, 31, 32, 36, 44, 48, 52, 56},
};

constexpr const Fields& of(LogMagic magic) { return kFields[static_cast<size_t>(magic)]; }

}  // namespace strom::format::layout
