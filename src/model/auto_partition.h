// Time partitions: how the value of a partition key is made from an instant, and which values are valid.
// Pure; the instant and the zone are given. Any thread. Written down in docs/formats/nodes.md.
// Upstream counterparts: utils/AutoPartitionStrategy, utils/PartitionUtils.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/ids.h"
#include "model/partition.h"
#include "model/time_zone.h"

namespace strom::model {

enum class AutoPartitionUnit : uint8_t { kYear, kQuarter, kMonth, kDay, kHour };
std::string_view to_string(AutoPartitionUnit unit);  // "DAY"

// Properties `table.auto-partition.*`.
struct AutoPartitionOptions {
  bool enabled = false;
  std::optional<std::string> key;  // which partition key is the time; unset: the only one
  AutoPartitionUnit unit = AutoPartitionUnit::kDay;
  std::optional<std::string> time_format;  // unset: the unit's own, e.g. yyyyMMdd
  std::optional<std::string> time_zone;    // unset: the machine's
  int32_t num_precreate = 2;
  int32_t num_retention = 7;  // negative: keep all

  friend bool operator==(const AutoPartitionOptions&, const AutoPartitionOptions&) = default;

  // The format in force: time_format or the unit's own.
  std::string_view format() const;
  // The partition key that holds the time.
  const std::string& time_key(const std::vector<std::string>& partition_keys) const;
  Result<TimeZone> zone() const;  // kInvalidConfig
};

// The value for the unit that contains `now`, moved by `offset` units (negative: back):
//   unit DAY, now 2024-03-01T10:00Z, offset -1 -> "20240229"
std::string auto_partition_value(const AutoPartitionOptions& options, const TimeZone& zone, Timestamp now,
                                 int32_t offset);

// True when `value` reads as a date or time of the options' format.
bool is_partition_time(const AutoPartitionOptions& options, std::string_view value);

// The fields of a pattern fit the unit, in order and at fixed width, and values made with it are valid
// partition values. kInvalidTable with what is wrong. Patterns: y or u (4), Q or q (1), M or L (2), d (2), H
// (2), text in quotes, and characters that are no letters.
Status validate_time_format(std::string_view format, AutoPartitionUnit unit);

// A partition that a client wants to create: its time value has the format and, with auto partitioning on, is
// not already past retention. kPartitionSpecInvalid.
Status validate_auto_partition_time(const AutoPartitionOptions& options, const TimeZone& zone,
                                    const ResolvedPartition& partition, Timestamp now);

}  // namespace strom::model
