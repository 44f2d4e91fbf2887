// Bucketing: which bucket a key belongs to. Clients assign buckets and the server trusts them; the server,
// the C++ client and the command line compute the same numbers here. Any thread. Format:
// docs/formats/bucketing.md. Upstream counterpart: bucketing/BucketingFunction, utils/MurmurHashUtils.
#pragma once

#include <cstdint>

#include "base/bytes.h"
#include "base/result.h"
#include "model/ids.h"

namespace strom::format {

// MurmurHash3 (x86, 32 bit) as its authors define it.
uint32_t murmur3_32(ByteView bytes, uint32_t seed);
// The variant of Flink and Spark, which Fluss and Paimon use: every byte behind the last whole block of four
// is sign-extended and mixed as a block of its own.
uint32_t murmur3_32_per_tail_byte(ByteView bytes, uint32_t seed = 42);

// The four functions: `key` is the bucket key as the encoder of the same name writes it (key/key_encoder.h).
// kInvalidTable when bucket_count < 1 or the key can't be a bucket key (empty; for Hudi not
// four bytes).
Result<model::BucketId> fluss_bucket(ByteView key, int32_t bucket_count);
Result<model::BucketId> paimon_bucket(ByteView key, int32_t bucket_count);
Result<model::BucketId> iceberg_bucket(ByteView key, int32_t bucket_count);
Result<model::BucketId> hudi_bucket(ByteView key, int32_t bucket_count);

}  // namespace strom::format
