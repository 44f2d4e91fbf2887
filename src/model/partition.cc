#include "model/partition.h"

#include <algorithm>
#include <chrono>

#include <fmt/ranges.h>

#include "model/names.h"

namespace strom::model {
namespace {

constexpr ErrorCode kCode = ErrorCode::kPartitionSpecInvalid;

const std::string* find_in(const std::vector<std::pair<std::string, std::string>>& entries,
                           std::string_view key) {
  auto at =
      std::ranges::find(entries, key, [](const auto& entry) -> std::string_view { return entry.first; });
  return at == entries.end() ? nullptr : &at->second;
}

Status check_value(std::string_view value, PartitionUse use) {
  auto reason = use == PartitionUse::kNew ? invalid_new_name_reason(value) : invalid_name_reason(value);
  if (!reason) return {};
  return make_error(kCode, "The partition value {} is invalid: {}", value, *reason);
}

}  // namespace

const std::string* PartitionSpec::find(std::string_view key) const { return find_in(entries, key); }

std::string PartitionSpec::to_string() const {
  std::string text;
  for (const auto& [key, value] : entries) {
    text += fmt::format("{}{}={}", text.empty() ? "" : ", ", key, value);
  }
  return "{" + text + "}";
}

std::string ResolvedPartition::name() const {
  return fmt::to_string(fmt::join(values, std::string_view(&kPartitionSeparator, 1)));
}

std::string ResolvedPartition::qualified_name() const {
  std::string text;
  for (size_t i = 0; i < keys.size(); ++i) {
    text += fmt::format("{}{}={}", i == 0 ? "" : "/", keys[i], values[i]);
  }
  return text;
}

const std::string* ResolvedPartition::find(std::string_view key) const {
  auto at = std::ranges::find(keys, key);
  return at == keys.end() ? nullptr : &values[static_cast<size_t>(at - keys.begin())];
}

PartitionSpec ResolvedPartition::spec() const {
  PartitionSpec spec;
  for (size_t i = 0; i < keys.size(); ++i) spec.entries.emplace_back(keys[i], values[i]);
  return spec;
}

bool ResolvedPartition::matches(const PartitionSpec& filter) const {
  return std::ranges::all_of(filter.entries, [this](const auto& entry) {
    const std::string* value = find(entry.first);
    return value != nullptr && *value == entry.second;
  });
}

Result<ResolvedPartition> ResolvedPartition::from_name(std::vector<std::string> keys, std::string_view name) {
  std::vector<std::string> values;
  for (size_t from = 0; from <= name.size();) {
    size_t end = std::min(name.find(kPartitionSeparator, from), name.size());
    values.emplace_back(name.substr(from, end - from));
    from = end + 1;
  }
  if (values.size() != keys.size()) {
    return make_error(kCode, "partition '{}' has {} values, but the table has the partition keys {}", name,
                      values.size(), print_names(keys));
  }
  return ResolvedPartition{std::move(keys), std::move(values)};
}

Result<ResolvedPartition> resolve_partition(const TablePath& table,
                                            const std::vector<std::string>& partition_keys,
                                            const PartitionSpec& spec, PartitionUse use) {
  if (spec.entries.size() != partition_keys.size()) {
    return make_error(kCode, "table {} has the partition keys {}, but the partition is given as {}", table,
                      print_names(partition_keys), spec.to_string());
  }
  ResolvedPartition partition{.keys = partition_keys, .values = {}};
  for (const std::string& key : partition_keys) {
    const std::string* value = spec.find(key);
    if (value == nullptr) {
      return make_error(kCode, "partition {} has no value for partition key '{}' of table {}",
                        spec.to_string(), key, table);
    }
    STROM_TRY(check_value(*value, use));
    partition.values.push_back(*value);
  }
  return partition;
}

Status validate_partition_filter(const TablePath& table, const std::vector<std::string>& partition_keys,
                                 const PartitionSpec& filter) {
  for (const auto& [key, value] : filter.entries) {
    if (contains(partition_keys, key)) continue;
    return make_error(kCode, "'{}' is no partition key of table {}: its partition keys are {}", key, table,
                      print_names(partition_keys));
  }
  return {};
}

bool is_partition_key_type(TypeRoot root) {
  return root != TypeRoot::kDecimal && root != TypeRoot::kArray && root != TypeRoot::kMap &&
         root != TypeRoot::kRow;
}

}  // namespace strom::model
