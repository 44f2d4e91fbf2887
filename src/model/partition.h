// Partitions by name and by value: a partition's name is its values joined by '$', in the order of the
// table's partition keys. Values only, any thread. Written down in docs/formats/nodes.md. Upstream
// counterparts: metadata/{PartitionSpec,ResolvedPartitionSpec}, utils/PartitionUtils.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "model/data_type.h"
#include "model/table_path.h"

namespace strom::model {

// Key-value pairs as a client gives them, in any order; for a filter, of some keys only.
struct PartitionSpec {
  std::vector<std::pair<std::string, std::string>> entries;

  const std::string* find(std::string_view key) const;
  std::string to_string() const;  // "{year=2024, region=us}"

  friend bool operator==(const PartitionSpec&, const PartitionSpec&) = default;
};

// Keys and values in the table's order; as many values as keys.
struct ResolvedPartition {
  std::vector<std::string> keys;
  std::vector<std::string> values;

  std::string name() const;            // "2024$us"
  std::string qualified_name() const;  // "year=2024/region=us"
  const std::string* find(std::string_view key) const;
  PartitionSpec spec() const;
  // True when each entry of the filter has this partition's value.
  bool matches(const PartitionSpec& filter) const;

  // kPartitionSpecInvalid when the number of values is not the number of keys.
  static Result<ResolvedPartition> from_name(std::vector<std::string> keys, std::string_view name);

  friend bool operator==(const ResolvedPartition&, const ResolvedPartition&) = default;
};

inline constexpr char kPartitionSeparator = '$';
// The partition that stands for all partitions that exist only in a lake; made by servers, never by clients.
inline constexpr std::string_view kHistoricalPartition = "__historical__";

// kNew: the partition is to be created, so its values can't have the reserved prefix.
enum class PartitionUse : uint8_t { kNew, kExisting };

// Puts a client's spec into the table's order and checks it; kPartitionSpecInvalid for missing or unknown
// keys and for values that are no valid names.
Result<ResolvedPartition> resolve_partition(const TablePath& table,
                                            const std::vector<std::string>& partition_keys,
                                            const PartitionSpec& spec, PartitionUse use);
// A filter: keys must be partition keys; kPartitionSpecInvalid.
Status validate_partition_filter(const TablePath& table, const std::vector<std::string>& partition_keys,
                                 const PartitionSpec& filter);

// Types that a partition key may have: all but DECIMAL, ARRAY, MAP and ROW.
bool is_partition_key_type(TypeRoot root);

// Values of typed partition columns as names.
std::string partition_value_of_bool(bool value);
std::string partition_value_of_bytes(ByteView value);  // lower-case hex
std::string partition_value_of_date(int32_t days);     // "2022-01-08"
std::string partition_value_of_time(int32_t millis);   // "12-34-56_789"
std::string partition_value_of_float(float value);     // "1_5"
std::string partition_value_of_double(double value);   // "-2_25"
// Milliseconds since the epoch and nanoseconds of the millisecond: "2023-11-14-22-13-20_123456".
std::string partition_value_of_timestamp(int64_t millis, int32_t nanos_of_millisecond);

}  // namespace strom::model
