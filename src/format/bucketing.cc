#include "format/bucketing.h"

#include <bit>
#include <cstdlib>
#include <limits>
#include <string_view>

#include "base/endian.h"

namespace strom::format {
namespace {

constexpr uint32_t kC1 = 0xcc9e2d51;
constexpr uint32_t kC2 = 0x1b873593;

uint32_t mix_k(uint32_t k) { return std::rotl(k * kC1, 15) * kC2; }
uint32_t mix_block(uint32_t hash, uint32_t block) {
  return std::rotl(hash ^ mix_k(block), 13) * 5 + 0xe6546b64;
}

uint32_t finalize(uint32_t hash) {
  hash ^= hash >> 16;
  hash *= 0x85ebca6b;
  hash ^= hash >> 13;
  hash *= 0xc2b2ae35;
  return hash ^ hash >> 16;
}

uint32_t mix_whole_blocks(ByteView bytes, uint32_t hash) {
  for (size_t i = 0; i + 4 <= bytes.size(); i += 4)
    hash = mix_block(hash, load_le<uint32_t>(bytes.data() + i));
  return hash;
}

ByteView tail(ByteView bytes) { return bytes.last(bytes.size() % 4); }

// Spreads the hash of the key once more, then makes it non-negative.
int32_t spread(uint32_t hash) {
  const auto code = static_cast<int32_t>(finalize(mix_block(0, hash) ^ 4));
  if (code == std::numeric_limits<int32_t>::min()) return 0;
  return std::abs(code);
}

Status check_key(std::string_view function, ByteView key, int32_t bucket_count) {
  if (bucket_count < 1) {
    return make_error(ErrorCode::kInvalidTable, "{} bucket function: expected at least 1 bucket, found {}",
                      function, bucket_count);
  }
  if (key.empty()) {
    return make_error(ErrorCode::kInvalidTable,
                      "{} bucket function: expected an encoded bucket key, found no bytes", function);
  }
  return {};
}

}  // namespace

uint32_t murmur3_32(ByteView bytes, uint32_t seed) {
  uint32_t hash = mix_whole_blocks(bytes, seed);
  uint32_t last = 0;
  const ByteView rest = tail(bytes);
  for (size_t i = 0; i < rest.size(); ++i) last |= static_cast<uint32_t>(rest[i]) << (8 * i);
  if (!rest.empty()) hash ^= mix_k(last);
  return finalize(hash ^ static_cast<uint32_t>(bytes.size()));
}

uint32_t murmur3_32_per_tail_byte(ByteView bytes, uint32_t seed) {
  uint32_t hash = mix_whole_blocks(bytes, seed);
  for (const uint8_t byte : tail(bytes)) {
    hash = mix_block(hash, static_cast<uint32_t>(static_cast<int32_t>(static_cast<int8_t>(byte))));
  }
  return finalize(hash ^ static_cast<uint32_t>(bytes.size()));
}

Result<model::BucketId> fluss_bucket(ByteView key, int32_t bucket_count) {
  STROM_TRY(check_key("Fluss", key, bucket_count));
  return model::BucketId(spread(murmur3_32_per_tail_byte(key)) % bucket_count);
}

Result<model::BucketId> paimon_bucket(ByteView key, int32_t bucket_count) {
  STROM_TRY(check_key("Paimon", key, bucket_count));
  return model::BucketId(std::abs(static_cast<int32_t>(murmur3_32_per_tail_byte(key)) % bucket_count));
}

Result<model::BucketId> iceberg_bucket(ByteView key, int32_t bucket_count) {
  STROM_TRY(check_key("Iceberg", key, bucket_count));
  return model::BucketId(static_cast<int32_t>(murmur3_32(key, 0) & 0x7fffffff) % bucket_count);
}

Result<model::BucketId> hudi_bucket(ByteView key, int32_t bucket_count) {
  STROM_TRY(check_key("Hudi", key, bucket_count));
  if (key.size() != 4) {
    return make_error(ErrorCode::kInvalidTable,
                      "Hudi bucket function: expected the 4 bytes of a hash, found {} bytes", key.size());
  }
  return model::BucketId(static_cast<int32_t>(load_be<uint32_t>(key.data()) & 0x7fffffff) % bucket_count);
}

}  // namespace strom::format
