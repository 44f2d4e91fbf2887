#include "model/table_options.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <functional>
#include <span>

#include <fmt/ranges.h>

#include "base/quantity.h"
#include "model/names.h"

namespace strom::model {
namespace {

constexpr auto kLogFormats = std::to_array<std::string_view>({"ARROW", "INDEXED", "COMPACTED"});
constexpr auto kKvFormats = std::to_array<std::string_view>({"COMPACTED", "INDEXED"});
constexpr auto kCompressions = std::to_array<std::string_view>({"NONE", "LZ4_FRAME", "ZSTD"});
constexpr auto kMergeEngines = std::to_array<std::string_view>({"FIRST_ROW", "VERSIONED", "AGGREGATION"});
constexpr auto kDeleteBehaviors = std::to_array<std::string_view>({"ALLOW", "IGNORE", "DISABLE"});
constexpr auto kChangelogImages = std::to_array<std::string_view>({"FULL", "WAL"});
constexpr auto kLakeFormats = std::to_array<std::string_view>({"paimon", "lance", "iceberg", "hudi"});
constexpr auto kTimeUnits = std::to_array<std::string_view>({"YEAR", "QUARTER", "MONTH", "DAY", "HOUR"});
constexpr auto kBooleans = std::to_array<std::string_view>({"false", "true"});

template <class Enum, size_t N>
std::string_view name_of(const std::array<std::string_view, N>& names, Enum value) {
  return names[static_cast<size_t>(value)];
}

Error wrong(std::string_view key, std::string_view value, std::string_view expected) {
  return make_error(ErrorCode::kInvalidConfig, "Invalid value '{}' for config '{}': expected {}", value, key,
                    expected);
}

// The type of an option's value: options without a default are optionals.
template <class To>
struct ValueOf {
  using type = To;
};
template <class Value>
struct ValueOf<std::optional<Value>> {
  using type = Value;
};

template <class To>
Status read_enum(std::string_view key, const std::string& value, std::span<const std::string_view> names,
                 To& to) {
  auto at =
      std::ranges::find_if(names, [&](std::string_view name) { return equal_ignoring_case(name, value); });
  if (at == names.end()) return wrong(key, value, fmt::format("one of {}", fmt::join(names, ", ")));
  to = static_cast<typename ValueOf<To>::type>(at - names.begin());
  return {};
}

template <class To>
Status read_number(std::string_view key, const std::string& value, To& to) {
  typename ValueOf<To>::type number = 0;
  std::string_view digits = value;
  if (digits.size() > 1 && digits[0] == '+' && digits[1] != '-') digits.remove_prefix(1);
  auto [end, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (failure != std::errc{} || end != digits.data() + digits.size()) {
    return wrong(key, value, fmt::format("a whole number of {} bits", 8 * sizeof(number)));
  }
  to = number;
  return {};
}

Status read_text(std::string_view, const std::string& value, std::optional<std::string>& to) {
  to = value;
  return {};
}

template <class To>
Status read_duration(std::string_view key, const std::string& value, To& to) {
  Result<Millis> parsed = parse_duration(value);
  if (!parsed.ok())
    return make_error(ErrorCode::kInvalidConfig, "Invalid value for config '{}': {}", key,
                      parsed.error().message);
  to = *parsed;
  return {};
}

Status read_statistics(std::string_view, std::string_view text, StatisticsColumns& to) {
  auto trim = [](std::string_view part) {
    size_t first = part.find_first_not_of(" \t");
    if (first == std::string_view::npos) return std::string_view();
    return part.substr(first, part.find_last_not_of(" \t") - first + 1);
  };
  to = {};
  if (trim(text) == "*") {
    to.mode = StatisticsColumns::Mode::kAll;
    return {};
  }
  to.mode = StatisticsColumns::Mode::kChosen;
  for (size_t from = 0; from <= text.size();) {
    size_t comma = std::min(text.find(',', from), text.size());
    std::string_view column = trim(text.substr(from, comma - from));
    if (!column.empty()) to.columns.emplace_back(column);
    from = comma + 1;
  }
  return {};
}

// A known key: how its value is read into the options, and whether ALTER TABLE may change it.
struct Option {
  std::string_view key;
  bool alterable;
  Status (*read)(std::string_view key, const std::string& value, TableOptions& to);
};

#define STROM_READ(call) \
  [](std::string_view key, const std::string& value, TableOptions& to) -> Status { return call; }
constexpr auto kOptions = std::to_array<Option>({
    {kReplicationFactorKey, false, STROM_READ(read_number(key, value, to.replication_factor))},
    {kLogFormatKey, false, STROM_READ(read_enum(key, value, kLogFormats, to.log_format))},
    {"table.log.arrow.compression.type", false,
     STROM_READ(read_enum(key, value, kCompressions, to.arrow_compression))},
    {kZstdLevelKey, false, STROM_READ(read_number(key, value, to.zstd_level))},
    {kLogTtlKey, true, STROM_READ(read_duration(key, value, to.log_ttl))},
    {kLogLocalTtlKey, true, STROM_READ(read_duration(key, value, to.log_local_ttl))},
    {kTieredLocalSegmentsKey, true, STROM_READ(read_number(key, value, to.tiered_local_segments))},
    {kAutoPartitionEnabledKey, true, STROM_READ(read_enum(key, value, kBooleans, to.auto_partition.enabled))},
    {kAutoPartitionKeyKey, false, STROM_READ(read_text(key, value, to.auto_partition.key))},
    {kAutoPartitionTimeUnitKey, false, STROM_READ(read_enum(key, value, kTimeUnits, to.auto_partition.unit))},
    {kAutoPartitionTimeFormatKey, false, STROM_READ(read_text(key, value, to.auto_partition.time_format))},
    {kAutoPartitionTimeZoneKey, false, STROM_READ(read_text(key, value, to.auto_partition.time_zone))},
    {kAutoPartitionNumPrecreateKey, true,
     STROM_READ(read_number(key, value, to.auto_partition.num_precreate))},
    {kAutoPartitionNumRetentionKey, true,
     STROM_READ(read_number(key, value, to.auto_partition.num_retention))},
    {kStatisticsColumnsKey, true, STROM_READ(read_statistics(key, value, to.statistics))},
    {"table.kv.format", false, STROM_READ(read_enum(key, value, kKvFormats, to.kv_format))},
    {kKvFormatVersionKey, false, STROM_READ(read_number(key, value, to.kv_format_version))},
    {kKvStandbyReplicaKey, true, STROM_READ(read_enum(key, value, kBooleans, to.kv_standby_replica))},
    {kMergeEngineKey, false, STROM_READ(read_enum(key, value, kMergeEngines, to.merge_engine))},
    {kMergeVersionColumnKey, false, STROM_READ(read_text(key, value, to.merge_version_column))},
    {kDeleteBehaviorKey, false, STROM_READ(read_enum(key, value, kDeleteBehaviors, to.delete_behavior))},
    {"table.auto-increment.cache-size", false,
     STROM_READ(read_number(key, value, to.auto_increment_cache_size))},
    {kChangelogImageKey, false, STROM_READ(read_enum(key, value, kChangelogImages, to.changelog_image))},
    {kLakeEnabledKey, true, STROM_READ(read_enum(key, value, kBooleans, to.lake_enabled))},
    {kLakeHistoricalPartitionKey, true,
     STROM_READ(read_enum(key, value, kBooleans, to.lake_historical_partition))},
    {kLakeFormatKey, false, STROM_READ(read_enum(key, value, kLakeFormats, to.lake_format))},
    {"table.datalake.freshness", true, STROM_READ(read_duration(key, value, to.lake_freshness))},
    {"table.datalake.auto-compaction", true,
     STROM_READ(read_enum(key, value, kBooleans, to.lake_auto_compaction))},
    {"table.datalake.auto-expire-snapshot", false,
     STROM_READ(read_enum(key, value, kBooleans, to.lake_auto_expire_snapshot))},
});
#undef STROM_READ

const Option* find_option(std::string_view key) {
  auto at = std::ranges::find(kOptions, key, &Option::key);
  return at == kOptions.end() ? nullptr : &*at;
}

}  // namespace

std::string_view to_string(LogFormat value) { return name_of(kLogFormats, value); }
std::string_view to_string(KvFormat value) { return name_of(kKvFormats, value); }
std::string_view to_string(ArrowCompression value) { return name_of(kCompressions, value); }
std::string_view to_string(MergeEngine value) { return name_of(kMergeEngines, value); }
std::string_view to_string(DeleteBehavior value) { return name_of(kDeleteBehaviors, value); }
std::string_view to_string(ChangelogImage value) { return name_of(kChangelogImages, value); }
std::string_view to_string(LakeFormat value) { return name_of(kLakeFormats, value); }

Result<TableOptions> TableOptions::parse(const Properties& properties) {
  TableOptions options;
  for (const auto& [key, value] : properties) {
    if (const Option* option = find_option(key)) STROM_TRY(option->read(key, value, options));
  }
  return options;
}

bool is_known_table_option(std::string_view key) { return find_option(key) != nullptr; }

bool is_alterable_table_option(std::string_view key) {
  const Option* option = find_option(key);
  return option != nullptr && option->alterable;
}

std::vector<std::string_view> known_table_options() {
  std::vector<std::string_view> keys;
  for (const Option& option : kOptions) keys.push_back(option.key);
  return keys;
}

}  // namespace strom::model
