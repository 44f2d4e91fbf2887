// TableOptions: the typed view of a table's `table.*` properties, the list of known keys, and which may be
// altered. Values only, any thread. The keys and their meaning are in docs/config.md. Upstream
// counterparts: config/TableConfig, config/FlussConfigUtils, config/ConfigOptions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "model/auto_partition.h"
#include "model/properties.h"

namespace strom::model {

enum class LogFormat : uint8_t { kArrow, kIndexed, kCompacted };
enum class KvFormat : uint8_t { kCompacted, kIndexed };
enum class ArrowCompression : uint8_t { kNone, kLz4Frame, kZstd };
enum class MergeEngine : uint8_t { kFirstRow, kVersioned, kAggregation };
enum class DeleteBehavior : uint8_t { kAllow, kIgnore, kDisable };
enum class ChangelogImage : uint8_t { kFull, kWal };
enum class LakeFormat : uint8_t { kPaimon, kLance, kIceberg, kHudi };

// As the values are written in properties: "ARROW", "LZ4_FRAME", "FIRST_ROW", "paimon".
std::string_view to_string(LogFormat value);
std::string_view to_string(KvFormat value);
std::string_view to_string(ArrowCompression value);
std::string_view to_string(MergeEngine value);
std::string_view to_string(DeleteBehavior value);
std::string_view to_string(ChangelogImage value);
std::string_view to_string(LakeFormat value);

// Which columns a client writes statistics for, per batch.
struct StatisticsColumns {
  enum class Mode : uint8_t { kDisabled, kAll, kChosen };
  Mode mode = Mode::kDisabled;
  std::vector<std::string> columns = {};  // kChosen; may be empty, which validation refuses

  friend bool operator==(const StatisticsColumns&, const StatisticsColumns&) = default;
};

struct TableOptions {
  std::optional<int32_t> replication_factor;  // always set in a stored table
  LogFormat log_format = LogFormat::kArrow;
  ArrowCompression arrow_compression = ArrowCompression::kZstd;
  int32_t zstd_level = 3;
  Millis log_ttl{7LL * 24 * 60 * 60 * 1000};  // zero: keep for ever
  std::optional<Millis> log_local_ttl;        // unset: as log_ttl; zero: off
  int32_t tiered_local_segments = 2;
  AutoPartitionOptions auto_partition;
  StatisticsColumns statistics;

  KvFormat kv_format = KvFormat::kCompacted;
  std::optional<int32_t> kv_format_version;
  std::optional<bool> kv_standby_replica;
  std::optional<MergeEngine> merge_engine;
  std::optional<std::string> merge_version_column;
  std::optional<DeleteBehavior> delete_behavior;  // unset: kAllow
  int64_t auto_increment_cache_size = 100'000;
  ChangelogImage changelog_image = ChangelogImage::kFull;

  bool lake_enabled = false;
  bool lake_historical_partition = false;
  std::optional<LakeFormat> lake_format;
  Millis lake_freshness{3LL * 60 * 1000};
  bool lake_auto_compaction = false;
  bool lake_auto_expire_snapshot = false;

  // Reads the known keys and ignores the others (a table may come from a newer cluster). kInvalidConfig names
  // the key, the value and what is allowed.
  static Result<TableOptions> parse(const Properties& properties);

  friend bool operator==(const TableOptions&, const TableOptions&) = default;
};

// Keys that the servers and more than one file here speak of.
inline constexpr std::string_view kTableOptionPrefix = "table.";
inline constexpr std::string_view kReplicationFactorKey = "table.replication.factor";
inline constexpr std::string_view kLogFormatKey = "table.log.format";
inline constexpr std::string_view kZstdLevelKey = "table.log.arrow.compression.zstd.level";
inline constexpr std::string_view kLogTtlKey = "table.log.ttl";
inline constexpr std::string_view kLogLocalTtlKey = "table.log.local-ttl";
inline constexpr std::string_view kTieredLocalSegmentsKey = "table.log.tiered.local-segments";
inline constexpr std::string_view kAutoPartitionEnabledKey = "table.auto-partition.enabled";
inline constexpr std::string_view kAutoPartitionKeyKey = "table.auto-partition.key";
inline constexpr std::string_view kAutoPartitionTimeUnitKey = "table.auto-partition.time-unit";
inline constexpr std::string_view kAutoPartitionTimeFormatKey = "table.auto-partition.time-format";
inline constexpr std::string_view kAutoPartitionTimeZoneKey = "table.auto-partition.time-zone";
inline constexpr std::string_view kAutoPartitionNumPrecreateKey = "table.auto-partition.num-precreate";
inline constexpr std::string_view kAutoPartitionNumRetentionKey = "table.auto-partition.num-retention";
inline constexpr std::string_view kStatisticsColumnsKey = "table.statistics.columns";
inline constexpr std::string_view kKvFormatVersionKey = "table.kv.format-version";
inline constexpr std::string_view kKvStandbyReplicaKey = "table.kv.standby-replica.enabled";
inline constexpr std::string_view kMergeEngineKey = "table.merge-engine";
inline constexpr std::string_view kMergeVersionColumnKey = "table.merge-engine.versioned.ver-column";
inline constexpr std::string_view kDeleteBehaviorKey = "table.delete.behavior";
inline constexpr std::string_view kChangelogImageKey = "table.changelog.image";
inline constexpr std::string_view kLakeEnabledKey = "table.datalake.enabled";
inline constexpr std::string_view kLakeFormatKey = "table.datalake.format";
inline constexpr std::string_view kLakeHistoricalPartitionKey = "table.datalake.historical-partition.enabled";

// Properties of the table itself, which the servers check; other keys are custom properties.
inline bool is_table_property(std::string_view key) { return key.starts_with(kTableOptionPrefix); }
bool is_known_table_option(std::string_view key);
// May be changed by ALTER TABLE.
bool is_alterable_table_option(std::string_view key);
std::vector<std::string_view> known_table_options();

}  // namespace strom::model
