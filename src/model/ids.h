// The ids and positions of the data model. Upstream counterparts: the long/int parameters of the same names.
#pragma once

#include <cstdint>

#include "base/strong_id.h"

namespace strom::model {

using TableId = StrongId<struct TableIdTag, int64_t>;
using PartitionId = StrongId<struct PartitionIdTag, int64_t>;
using BucketId = StrongId<struct BucketIdTag, int32_t>;
using SchemaId =
    StrongCounter<struct SchemaIdTag, int32_t>;  // 1 is a table's first schema; an int16 inside batches
using ServerId = StrongId<struct ServerIdTag, int32_t>;  // of a tablet server; -1 is none
using WriterId = StrongId<struct WriterIdTag, int64_t>;  // of an idempotent writer; -1 is none

using Offset = StrongCounter<struct OffsetTag, int64_t>;        // position of a record in a bucket's log
using Timestamp = StrongCounter<struct TimestampTag, int64_t>;  // milliseconds since 1970-01-01T00:00:00Z
using BatchSequence =
    StrongCounter<struct BatchSequenceTag, int32_t>;  // of a writer's batches in one bucket; -1 none
using LeaderEpoch = StrongCounter<struct LeaderEpochTag, int32_t>;  // one per leader of a bucket
using BucketEpoch = StrongCounter<struct BucketEpochTag, int32_t>;  // one per change of leader or ISR
using CoordinatorEpoch = StrongCounter<struct CoordinatorEpochTag, int32_t>;

inline constexpr ServerId kNoServer{-1};
inline constexpr WriterId kNoWriter{-1};
inline constexpr BatchSequence kNoSequence{-1};
inline constexpr Timestamp kNoTimestamp{-1};

}  // namespace strom::model
