// TableBucket: which bucket, of which table and partition. The unit of ownership: one shard owns a bucket's
// log, state and waiting requests. Upstream counterpart: metadata/TableBucket.
#pragma once

#include <compare>
#include <functional>
#include <optional>

#include "model/ids.h"

namespace strom::model {

struct TableBucket {
  TableId table;
  std::optional<PartitionId> partition;  // nothing for a table without partitions
  BucketId bucket;

  friend auto operator<=>(const TableBucket&, const TableBucket&) = default;
};

}  // namespace strom::model

template <>
struct std::hash<strom::model::TableBucket> {
  size_t operator()(const strom::model::TableBucket& key) const noexcept {
    uint64_t h = static_cast<uint64_t>(key.table.value) * 0x9e3779b97f4a7c15ULL;
    if (key.partition) h ^= (static_cast<uint64_t>(key.partition->value) + 1) * 0xc2b2ae3d27d4eb4fULL;
    h ^= static_cast<uint64_t>(static_cast<uint32_t>(key.bucket.value)) * 0x165667b19e3779f9ULL;
    h ^= h >> 29;
    h *= 0xbf58476d1ce4e5b9ULL;
    return static_cast<size_t>(h ^ (h >> 32));
  }
};

// "12/b3" or "12/p5/b3": table id, partition id, bucket.
template <>
struct fmt::formatter<strom::model::TableBucket> : fmt::formatter<std::string_view> {
  auto format(const strom::model::TableBucket& b, fmt::format_context& ctx) const {
    if (b.partition) return fmt::format_to(ctx.out(), "{}/p{}/b{}", b.table, *b.partition, b.bucket);
    return fmt::format_to(ctx.out(), "{}/b{}", b.table, b.bucket);
  }
};
