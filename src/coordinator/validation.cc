#include "coordinator/validation.h"

#include <algorithm>

#include <fmt/ranges.h>

#include "coordinator/validation_rules.h"
#include "model/names.h"

namespace strom::coordinator {

using model::Properties;
using model::Schema;
using model::TableDescriptor;
using model::TableInfo;
using model::TableOptions;

namespace {

constexpr int32_t kNewestKvFormatVersion = 2;

// Exactly "true", as upstream looks at it before the options are read.
bool is_true(const Properties& properties, std::string_view key) {
  const std::string* value = properties.find(key);
  return value != nullptr && *value == "true";
}

Status apply_primary_key_defaults(TableDescriptor& table) {
  TableOptions options = STROM_TRY(TableOptions::parse(table.properties));
  if (options.merge_engine && !options.delete_behavior) {
    table.properties.set(model::kDeleteBehaviorKey, to_string(model::DeleteBehavior::kIgnore));
  }
  if (options.kv_format_version.value_or(0) > kNewestKvFormatVersion) {
    return make_error(ErrorCode::kInvalidConfig, "'{}' is {}, but the newest version is {}",
                      model::kKvFormatVersionKey, *options.kv_format_version, kNewestKvFormatVersion);
  }
  if (!options.kv_format_version) {
    table.properties.set(model::kKvFormatVersionKey, fmt::to_string(kNewestKvFormatVersion));
  }
  if (!options.kv_standby_replica) table.properties.set(model::kKvStandbyReplicaKey, "true");
  return {};
}

Status check_known(const Properties& properties) {
  for (const auto& [key, value] : properties) {
    if (model::is_known_table_option(key)) continue;
    if (model::is_table_property(key)) {
      return make_error(ErrorCode::kInvalidConfig,
                        "'{}' is no table property that this version knows; known are {}", key,
                        fmt::join(model::known_table_options(), ", "));
    }
    return make_error(ErrorCode::kInvalidConfig,
                      "'{}' is no table property (they begin with '{}'): use a custom property", key,
                      model::kTableOptionPrefix);
  }
  return {};
}

Status check_supported(const TableDescriptor& table) {
  if (!table.has_primary_key()) return {};
  return make_error(
      ErrorCode::kInvalidTable,
      "primary-key tables are not supported yet by this server: create a table without a primary key");
}

}  // namespace

Result<TableDescriptor> apply_system_defaults(TableDescriptor table, const ClusterDefaults& defaults) {
  if (!table.distribution) table.distribution.emplace();
  if (!table.distribution->bucket_count) table.distribution->bucket_count = defaults.bucket_count;
  if (!table.properties.contains(model::kReplicationFactorKey)) {
    table.properties.set(model::kReplicationFactorKey, fmt::to_string(defaults.replication_factor));
  }
  // Partitions of several keys can't be foreseen, so none are created in advance.
  if (table.partition_keys.size() > 1 && is_true(table.properties, model::kAutoPartitionEnabledKey) &&
      !table.properties.contains(model::kAutoPartitionNumPrecreateKey)) {
    table.properties.set(model::kAutoPartitionNumPrecreateKey, "0");
  }
  const std::string* lake = table.properties.find(model::kLakeEnabledKey);
  if (lake != nullptr && model::equal_ignoring_case(*lake, "true")) {
    return make_error(ErrorCode::kInvalidTable,
                      "'{}' is enabled for the table, but this server does not support lake tables yet",
                      model::kLakeEnabledKey);
  }
  if (table.has_primary_key()) STROM_TRY(apply_primary_key_defaults(table));
  return table;
}

Status validate_table(const TableDescriptor& table, const TableLimits& limits) {
  STROM_TRY(check_known(table.properties));
  TableOptions options = STROM_TRY(TableOptions::parse(table.properties));
  STROM_TRY(check_distribution(table, limits.max_buckets));
  STROM_TRY(check_key_types(table.schema, table.schema.primary_key(), "primary key"));
  STROM_TRY(check_log_options(options, table.has_primary_key()));
  STROM_TRY(check_merge_options(options, table.schema));
  STROM_TRY(check_tiering_options(options));
  STROM_TRY(check_partitioning(options, table));
  STROM_TRY(check_column_names(table.schema));
  STROM_TRY(check_statistics(options, table.schema));
  return check_supported(table);
}

Status validate_alter_properties(const TableInfo& table, std::span<const std::string> keys) {
  std::vector<std::string> fixed, lake;
  for (const std::string& key : keys) {
    if (!model::is_table_property(key)) continue;
    if (!model::is_alterable_table_option(key)) fixed.push_back("'" + key + "'");
    if (key.starts_with("table.datalake.")) lake.push_back("'" + key + "'");
    if (key == model::kKvStandbyReplicaKey && !table.has_primary_key()) {
      return make_error(ErrorCode::kInvalidAlterTable, "'{}' is for primary-key tables only", key);
    }
  }
  if (!fixed.empty()) {
    return make_error(ErrorCode::kInvalidAlterTable, "these options of a table can't be altered: {}",
                      fmt::join(fixed, ", "));
  }
  if (!lake.empty()) {
    return make_error(
        ErrorCode::kInvalidAlterTable,
        "these options can't be altered, because this server does not support lake tables yet: {}",
        fmt::join(lake, ", "));
  }
  return {};
}

Result<Schema> add_columns(const Schema& schema, const std::vector<model::Column>& columns) {
  model::SchemaBuilder builder(schema);
  std::vector<std::string_view> added;
  for (const model::Column& column : columns) {
    if (schema.find(column.name) != nullptr || std::ranges::find(added, column.name) != added.end()) {
      return make_error(ErrorCode::kInvalidAlterTable, "Column {} already exists", column.name);
    }
    if (!column.type.nullable) {
      return make_error(ErrorCode::kUnknownServerError,
                        "column {} must be nullable: rows that are there already have no value for it",
                        column.name);
    }
    if (column.agg_function && !schema.has_primary_key()) {
      return make_error(ErrorCode::kInvalidConfig,
                        "column '{}' has an aggregation function, which only tables with the merge engine "
                        "'aggregation' may have",
                        column.name);
    }
    added.push_back(column.name);
    builder.column(column.name, column.type, column.comment, column.agg_function);
  }
  Schema longer = STROM_TRY(builder.build());
  STROM_TRY(check_column_names(longer));
  return longer;
}

}  // namespace strom::coordinator
