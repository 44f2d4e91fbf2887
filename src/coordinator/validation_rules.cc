#include "coordinator/validation_rules.h"

#include <algorithm>
#include <array>

#include <fmt/ranges.h>

#include "model/auto_partition.h"
#include "model/names.h"
#include "model/partition.h"

namespace strom::coordinator {

using model::AutoPartitionOptions;
using model::Schema;
using model::TableDescriptor;
using model::TableOptions;
using model::TypeRoot;

namespace {

constexpr ErrorCode kTable = ErrorCode::kInvalidTable;
constexpr ErrorCode kConfig = ErrorCode::kInvalidConfig;

// Columns that readers add to the rows of a table.
constexpr auto kSystemColumns = std::to_array<std::string_view>(
    {"__offset", "__timestamp", "__bucket", "_change_type", "_log_offset", "_commit_timestamp"});

Status check_version_column(const TableOptions& options, const Schema& schema) {
  if (!options.merge_version_column) {
    return make_error(kConfig, "'{}' must be set for the merge engine 'versioned'",
                      model::kMergeVersionColumnKey);
  }
  const model::Column* column = schema.find(*options.merge_version_column);
  if (column == nullptr) {
    return make_error(kConfig, "'{}' names '{}', which is no column of the table",
                      model::kMergeVersionColumnKey, *options.merge_version_column);
  }
  TypeRoot root = column->type.root;
  if (root != TypeRoot::kInteger && root != TypeRoot::kBigInt && root != TypeRoot::kTimestamp &&
      root != TypeRoot::kTimestampLtz) {
    return make_error(kConfig,
                      "version column '{}' must be INT, BIGINT, TIMESTAMP or TIMESTAMP_LTZ, found {}",
                      column->name, column->type);
  }
  return {};
}

Status check_merge_engine(const TableOptions& options, const Schema& schema) {
  if (!options.merge_engine) return {};
  if (!schema.has_primary_key()) {
    return make_error(kConfig, "'{}' is for primary-key tables only", model::kMergeEngineKey);
  }
  if (*options.merge_engine == model::MergeEngine::kVersioned) return check_version_column(options, schema);
  if (*options.merge_engine == model::MergeEngine::kAggregation &&
      options.changelog_image == model::ChangelogImage::kWal) {
    return make_error(kConfig, "'{}' must be FULL for the merge engine 'aggregation'",
                      model::kChangelogImageKey);
  }
  return {};
}

Status check_delete_behavior(const TableOptions& options, bool has_primary_key) {
  if (!options.delete_behavior) return {};
  if (!has_primary_key) {
    return make_error(kConfig, "'{}' is for primary-key tables only", model::kDeleteBehaviorKey);
  }
  bool no_deletes = options.merge_engine == model::MergeEngine::kFirstRow ||
                    options.merge_engine == model::MergeEngine::kVersioned;
  if (no_deletes && *options.delete_behavior == model::DeleteBehavior::kAllow) {
    return make_error(kConfig, "'{}' must be 'ignore' or 'disable' for the merge engine {}, found 'allow'",
                      model::kDeleteBehaviorKey, to_string(*options.merge_engine));
  }
  return {};
}

bool is_blank(const std::optional<std::string>& text) {
  return !text || text->find_first_not_of(" \t\r\n") == std::string::npos;
}

Status check_several_keys(const AutoPartitionOptions& options, const std::vector<std::string>& keys) {
  if (is_blank(options.key)) {
    return make_error(kTable, "'{}' must name the partition key that is the time, one of {}",
                      model::kAutoPartitionKeyKey, model::print_names(keys));
  }
  if (!model::contains(keys, *options.key)) {
    return make_error(kTable, "'{}' names '{}', which is no partition key: they are {}",
                      model::kAutoPartitionKeyKey, *options.key, model::print_names(keys));
  }
  if (options.num_precreate > 0) {
    return make_error(kTable, "'{}' must be 0 for a table with several partition keys, found {}",
                      model::kAutoPartitionNumPrecreateKey, options.num_precreate);
  }
  return {};
}

// A DATE column has one form as a partition value, and one day as its step.
Status check_date_key(const AutoPartitionOptions& options, const TableDescriptor& table) {
  const std::string& key = is_blank(options.key) ? table.partition_keys[0] : *options.key;
  const model::Column* column = table.schema.find(key);
  if (column == nullptr || column->type.root != TypeRoot::kDate) return {};
  if (options.unit != model::AutoPartitionUnit::kDay) {
    return make_error(kTable, "'{}' must be DAY for the partition key '{}' of type DATE, found {}",
                      model::kAutoPartitionTimeUnitKey, key, to_string(options.unit));
  }
  if (options.time_format != "yyyy-MM-dd") {
    return make_error(kTable, "'{}' must be 'yyyy-MM-dd' for the partition key '{}' of type DATE, found '{}'",
                      model::kAutoPartitionTimeFormatKey, key, options.format());
  }
  return {};
}

}  // namespace

Status check_key_types(const Schema& schema, const std::vector<std::string>& columns, std::string_view role) {
  for (const std::string& name : columns) {
    const model::Column* column = schema.find(name);
    if (column == nullptr) return make_error(kTable, "{} column '{}' is no column of the table", role, name);
    if (column->type.is_nested()) {
      return make_error(kTable, "{} column '{}' can't be of type {}: ARRAY, MAP and ROW can't be keys", role,
                        name, column->type);
    }
  }
  return {};
}

Status check_distribution(const TableDescriptor& table, int32_t max_buckets) {
  if (!table.bucket_count()) return make_error(kTable, "the table has no bucket count");
  int32_t buckets = *table.bucket_count();
  if (buckets > max_buckets) {
    return make_error(ErrorCode::kBucketMaxNum,
                      "Bucket count {} exceeds the maximum of {} for a table or a partition (max.bucket.num)",
                      buckets, max_buckets);
  }
  if (buckets < 1) return make_error(kTable, "the bucket count must be at least 1, found {}", buckets);
  return check_key_types(table.schema, table.bucket_keys(), "bucket key");
}

Status check_log_options(const TableOptions& options, bool has_primary_key) {
  if (!options.replication_factor) {
    return make_error(kConfig, "'{}' is missing", model::kReplicationFactorKey);
  }
  if (*options.replication_factor <= 0) {
    return make_error(ErrorCode::kInvalidReplicationFactor, "'{}' must be greater than 0, found {}",
                      model::kReplicationFactorKey, *options.replication_factor);
  }
  if (has_primary_key && options.kv_format == model::KvFormat::kCompacted &&
      options.log_format == model::LogFormat::kIndexed) {
    return make_error(kConfig,
                      "'{}' of a primary-key table must be ARROW or COMPACTED when its key-value format is "
                      "COMPACTED, found INDEXED",
                      model::kLogFormatKey);
  }
  if (options.zstd_level < 1 || options.zstd_level > 22) {
    return make_error(kConfig, "'{}' must be between 1 and 22, found {}", model::kZstdLevelKey,
                      options.zstd_level);
  }
  return {};
}

Status check_merge_options(const TableOptions& options, const Schema& schema) {
  if (options.merge_engine != model::MergeEngine::kAggregation) {
    for (const model::Column& column : schema.columns()) {
      if (!column.agg_function) continue;
      return make_error(
          kConfig,
          "column '{}' has the aggregation function '{}', which only tables with the merge engine "
          "'aggregation' may have",
          column.name, column.agg_function->type);
    }
  }
  STROM_TRY(check_merge_engine(options, schema));
  return check_delete_behavior(options, schema.has_primary_key());
}

Status check_tiering_options(const TableOptions& options) {
  if (options.tiered_local_segments <= 0) {
    return make_error(kConfig, "'{}' must be greater than 0, found {}", model::kTieredLocalSegmentsKey,
                      options.tiered_local_segments);
  }
  Millis local = options.log_local_ttl.value_or(Millis(0));
  if (options.log_ttl > Millis(0) && local > options.log_ttl) {
    return make_error(kConfig, "'{}' must not be longer than '{}'", model::kLogLocalTtlKey,
                      model::kLogTtlKey);
  }
  if (options.lake_historical_partition) {
    return make_error(kConfig,
                      "'{}' needs a lake table with a primary key, which this server does not support yet",
                      model::kLakeHistoricalPartitionKey);
  }
  if (options.lake_enabled) {
    return make_error(kTable,
                      "'{}' is enabled for the table, but this server does not support lake tables yet",
                      model::kLakeEnabledKey);
  }
  return {};
}

Status check_partitioning(const TableOptions& options, const TableDescriptor& table) {
  const AutoPartitionOptions& automatic = options.auto_partition;
  if (!table.is_partitioned()) {
    if (!automatic.enabled) return {};
    return make_error(kConfig, "'{}' is for partitioned tables only: set it to false, or add a partition key",
                      model::kAutoPartitionEnabledKey);
  }
  for (const std::string& key : table.partition_keys) {
    const model::Column* column = table.schema.find(key);
    if (column == nullptr) return make_error(kTable, "partition key '{}' is no column of the table", key);
    if (!model::is_partition_key_type(column->type.root)) {
      return make_error(
          kTable,
          "partition key '{}' can't be of type {}: DECIMAL, ARRAY, MAP and ROW can't be partition keys", key,
          column->type);
    }
  }
  if (automatic.time_format) {
    Status format = validate_time_format(*automatic.time_format, automatic.unit);
    if (!format.ok()) {
      return make_error(kTable, "'{}': {}", model::kAutoPartitionTimeFormatKey, format.error().message);
    }
  }
  if (!automatic.enabled) return {};
  if (table.partition_keys.size() > 1) STROM_TRY(check_several_keys(automatic, table.partition_keys));
  STROM_TRY(check_date_key(automatic, table));
  Result<model::TimeZone> zone = automatic.zone();
  if (!zone.ok())
    return make_error(kConfig, "'{}': {}", model::kAutoPartitionTimeZoneKey, zone.error().message);
  return {};
}

Status check_column_names(const Schema& schema) {
  for (const model::Column& column : schema.columns()) {
    if (std::ranges::find(kSystemColumns, column.name) == kSystemColumns.end()) continue;
    return make_error(kTable, "'{}' can't be a column name: reserved for readers are {}", column.name,
                      fmt::join(kSystemColumns, ", "));
  }
  return {};
}

Status check_statistics(const TableOptions& options, const Schema& schema) {
  using Mode = model::StatisticsColumns::Mode;
  if (options.statistics.mode == Mode::kDisabled) return {};
  if (schema.has_primary_key()) {
    return make_error(kConfig, "'{}' is for tables without a primary key only", model::kStatisticsColumnsKey);
  }
  if (options.statistics.mode == Mode::kAll) return {};
  if (options.statistics.columns.empty()) {
    return make_error(kConfig, "'{}' names no column: use '*' for all, or remove it",
                      model::kStatisticsColumnsKey);
  }
  for (const std::string& name : options.statistics.columns) {
    const model::Column* column = schema.find(name);
    if (column == nullptr) {
      return make_error(kConfig, "'{}' names '{}', which is no column of the table",
                        model::kStatisticsColumnsKey, name);
    }
    TypeRoot root = column->type.root;
    if (column->type.is_nested() || root == TypeRoot::kBinary || root == TypeRoot::kBytes) {
      return make_error(kConfig,
                        "'{}' names '{}' of type {}, which has no statistics: BINARY, BYTES, ARRAY, MAP and "
                        "ROW have none",
                        model::kStatisticsColumnsKey, name, column->type);
    }
  }
  return {};
}

}  // namespace strom::coordinator
