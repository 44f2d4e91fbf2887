#include "coordinator/validation.h"

#include <gtest/gtest.h>

namespace strom::coordinator {
namespace {

using model::Column;
using model::DataType;
using model::Properties;
using model::Schema;
using model::SchemaBuilder;
using model::TableDescriptor;

Schema log_schema() {
  return SchemaBuilder()
      .column("a", DataType::integer())
      .column("dt", DataType::string())
      .column("region", DataType::string())
      .column("day", DataType::date())
      .column("raw", DataType::bytes())
      .column("list", DataType::array(DataType::integer()))
      .column("price", DataType::decimal(10, 2))
      .build()
      .value();
}

struct Case {
  Properties properties = {};
  std::vector<std::string> partition_keys = {};
  std::vector<std::string> bucket_keys = {};
  std::optional<int32_t> bucket_count = std::nullopt;
  Schema schema = log_schema();
};

TableDescriptor descriptor(Case given) {
  return {.schema = std::move(given.schema),
          .partition_keys = std::move(given.partition_keys),
          .distribution = model::Distribution{given.bucket_count, std::move(given.bucket_keys)},
          .properties = std::move(given.properties)};
}

// What a client gets that creates this table.
ErrorCode create(Case given) {
  auto table =
      apply_system_defaults(descriptor(std::move(given)), {.bucket_count = 3, .replication_factor = 1});
  if (!table.ok()) return table.code();
  return validate_table(*table, {.max_buckets = 8}).code();
}

// What was left open is written into the descriptor; what was given stays.
TEST(SystemDefaults, FillWhatWasLeftOpen) {
  ClusterDefaults defaults{.bucket_count = 3, .replication_factor = 2};
  TableDescriptor filled = apply_system_defaults({.schema = log_schema()}, defaults).value();
  EXPECT_EQ(filled.bucket_count(), 3);
  EXPECT_EQ(filled.properties, (Properties{{"table.replication.factor", "2"}}));

  TableDescriptor given = descriptor({.properties = {{"table.replication.factor", "1"}}, .bucket_count = 5});
  EXPECT_EQ(apply_system_defaults(given, defaults).value(), given);

  TableDescriptor several = descriptor(
      {.properties = {{"table.auto-partition.enabled", "true"}}, .partition_keys = {"dt", "region"}});
  EXPECT_EQ(
      *apply_system_defaults(several, defaults).value().properties.find("table.auto-partition.num-precreate"),
      "0");
}

// Primary-key tables get the defaults of upstream too, and are then refused with a message that says why.
TEST(SystemDefaults, OfPrimaryKeyTables) {
  Schema keyed = SchemaBuilder().column("a", DataType::integer()).primary_key({"a"}).build().value();
  TableDescriptor table{.schema = keyed, .properties = {{"table.merge-engine", "first_row"}}};
  TableDescriptor filled = apply_system_defaults(table, {}).value();
  EXPECT_EQ(*filled.properties.find("table.delete.behavior"), "IGNORE");
  EXPECT_EQ(*filled.properties.find("table.kv.format-version"), "2");
  EXPECT_EQ(*filled.properties.find("table.kv.standby-replica.enabled"), "true");

  Status refused = validate_table(filled, {});
  EXPECT_EQ(refused.code(), ErrorCode::kInvalidTable);
  EXPECT_NE(refused.error().message.find("primary-key tables are not supported yet"), std::string::npos);

  EXPECT_EQ(create({.properties = {{"table.kv.format-version", "3"}}, .schema = keyed}),
            ErrorCode::kInvalidConfig);
  EXPECT_EQ(create({.properties = {{"table.log.format", "INDEXED"}}, .schema = keyed}),
            ErrorCode::kInvalidConfig);
  EXPECT_EQ(create({.properties = {{"table.merge-engine", "versioned"}}, .schema = keyed}),
            ErrorCode::kInvalidConfig);
  EXPECT_EQ(create({.properties = {{"table.merge-engine", "first_row"}, {"table.delete.behavior", "allow"}},
                    .schema = keyed}),
            ErrorCode::kInvalidConfig);
  EXPECT_EQ(create({.properties = {{"table.statistics.columns", "*"}}, .schema = keyed}),
            ErrorCode::kInvalidConfig);
}

// Properties: known keys with valid values only.
TEST(ValidateTable, Properties) {
  auto code = [](std::string key, std::string value) { return create({.properties = {{key, value}}}); };
  EXPECT_EQ(create({}), ErrorCode::kNone);
  EXPECT_EQ(code("table.log.ttl", "1 h"), ErrorCode::kNone);
  EXPECT_EQ(code("table.unknown", "1"), ErrorCode::kInvalidConfig);
  EXPECT_EQ(code("owner", "me"), ErrorCode::kInvalidConfig);
  EXPECT_EQ(code("table.log.format", "csv"), ErrorCode::kInvalidConfig);
  EXPECT_EQ(code("table.replication.factor", "0"), ErrorCode::kInvalidReplicationFactor);
  EXPECT_EQ(code("table.log.arrow.compression.zstd.level", "23"), ErrorCode::kInvalidConfig);
  EXPECT_EQ(code("table.log.arrow.compression.zstd.level", "22"), ErrorCode::kNone);
  EXPECT_EQ(code("table.log.tiered.local-segments", "0"), ErrorCode::kInvalidConfig);
  EXPECT_EQ(code("table.log.local-ttl", "8 d"), ErrorCode::kInvalidConfig);
  EXPECT_EQ(code("table.log.local-ttl", "7 d"), ErrorCode::kNone);
  EXPECT_EQ(code("table.merge-engine", "first_row"), ErrorCode::kInvalidConfig);
  EXPECT_EQ(code("table.delete.behavior", "ignore"), ErrorCode::kInvalidConfig);
  EXPECT_EQ(code("table.datalake.enabled", "true"), ErrorCode::kInvalidTable);
  EXPECT_EQ(code("table.datalake.historical-partition.enabled", "true"), ErrorCode::kInvalidConfig);
}

// Buckets: count within the limit, keys of plain types.
TEST(ValidateTable, Distribution) {
  EXPECT_EQ(create({.bucket_count = 8}), ErrorCode::kNone);
  EXPECT_EQ(create({.bucket_count = 9}), ErrorCode::kBucketMaxNum);
  EXPECT_EQ(create({.bucket_count = 0}), ErrorCode::kInvalidTable);
  EXPECT_EQ(create({.bucket_keys = {"a"}}), ErrorCode::kNone);
  EXPECT_EQ(create({.bucket_keys = {"list"}}), ErrorCode::kInvalidTable);
  EXPECT_EQ(
      validate_table({.schema = log_schema(), .properties = {{"table.replication.factor", "1"}}}, {}).code(),
      ErrorCode::kInvalidTable);
}

// Statistics: columns that exist and have an order.
TEST(ValidateTable, Statistics) {
  auto code = [](std::string columns) {
    return create({.properties = {{"table.statistics.columns", columns}}});
  };
  EXPECT_EQ(code("*"), ErrorCode::kNone);
  EXPECT_EQ(code("a, price"), ErrorCode::kNone);
  EXPECT_EQ(code(","), ErrorCode::kInvalidConfig);
  EXPECT_EQ(code("nope"), ErrorCode::kInvalidConfig);
  EXPECT_EQ(code("raw"), ErrorCode::kInvalidConfig);
  EXPECT_EQ(code("list"), ErrorCode::kInvalidConfig);
}

// Partition keys, and the options of partitions by time.
TEST(ValidateTable, Partitioning) {
  Properties automatic = {{"table.auto-partition.enabled", "true"}};
  auto with = [&](std::string key, std::string value) {
    Properties properties = automatic;
    properties.set(key, value);
    return properties;
  };
  EXPECT_EQ(create({.partition_keys = {"dt"}}), ErrorCode::kNone);
  EXPECT_EQ(create({.partition_keys = {"price"}}), ErrorCode::kInvalidTable);
  EXPECT_EQ(create({.properties = automatic}), ErrorCode::kInvalidConfig);
  EXPECT_EQ(create({.properties = automatic, .partition_keys = {"dt"}}), ErrorCode::kNone);
  EXPECT_EQ(create({.properties = with("table.auto-partition.time-zone", "Mars/Olympus"),
                    .partition_keys = {"dt"}}),
            ErrorCode::kInvalidConfig);
  EXPECT_EQ(
      create({.properties = with("table.auto-partition.time-format", "yyyyMM"), .partition_keys = {"dt"}}),
      ErrorCode::kInvalidTable);

  EXPECT_EQ(create({.properties = automatic, .partition_keys = {"dt", "region"}}), ErrorCode::kInvalidTable);
  EXPECT_EQ(create({.properties = with("table.auto-partition.key", "a"), .partition_keys = {"dt", "region"}}),
            ErrorCode::kInvalidTable);
  Properties keyed = with("table.auto-partition.key", "dt");
  EXPECT_EQ(create({.properties = keyed, .partition_keys = {"dt", "region"}}), ErrorCode::kNone);
  keyed.set("table.auto-partition.num-precreate", "2");
  EXPECT_EQ(create({.properties = keyed, .partition_keys = {"dt", "region"}}), ErrorCode::kInvalidTable);

  EXPECT_EQ(create({.properties = automatic, .partition_keys = {"day"}}), ErrorCode::kInvalidTable);
  Properties dated = with("table.auto-partition.time-format", "yyyy-MM-dd");
  EXPECT_EQ(create({.properties = dated, .partition_keys = {"day"}}), ErrorCode::kNone);
}

// Names that readers use for the columns they add, and aggregation functions, are refused.
TEST(ValidateTable, Columns) {
  for (const char* name :
       {"__offset", "__timestamp", "__bucket", "_change_type", "_log_offset", "_commit_timestamp"}) {
    EXPECT_EQ(create({.schema = SchemaBuilder().column(name, DataType::integer()).build().value()}),
              ErrorCode::kInvalidTable)
        << name;
  }
  Schema summed = SchemaBuilder()
                      .column("a", DataType::integer(), std::nullopt, model::AggFunction{"sum", {}})
                      .build()
                      .value();
  EXPECT_EQ(create({.schema = summed}), ErrorCode::kInvalidConfig);
}

// Only some options may be altered; custom properties always may.
TEST(ValidateAlter, Properties) {
  TableDescriptor table = apply_system_defaults({.schema = log_schema()}, {}).value();
  auto registration =
      model::TableRegistration::make(model::TableId(1), table, {}, model::Timestamp(0)).value();
  auto info = model::make_table_info({"db", "t"}, registration, {model::SchemaId(1), log_schema()}).value();
  auto code = [&](std::vector<std::string> keys) { return validate_alter_properties(info, keys).code(); };
  EXPECT_EQ(code({"table.log.ttl", "anything"}), ErrorCode::kNone);
  EXPECT_EQ(code({"table.log.ttl", "table.log.format"}), ErrorCode::kInvalidAlterTable);
  EXPECT_EQ(code({"table.unknown"}), ErrorCode::kInvalidAlterTable);
  EXPECT_EQ(code({"table.kv.standby-replica.enabled"}), ErrorCode::kInvalidAlterTable);
  EXPECT_EQ(code({"table.datalake.enabled"}), ErrorCode::kInvalidAlterTable);
}

// Columns are added at the end with new ids, and must be nullable, new and not reserved.
TEST(AddColumns, AtTheEnd) {
  Schema schema = SchemaBuilder().column("a", DataType::integer()).build().value();
  Column nested{.name = "n", .type = DataType::row({{"x", DataType::date()}}), .comment = "c"};
  Schema longer = add_columns(schema, {nested, {.name = "b", .type = DataType::string()}}).value();
  EXPECT_EQ(longer.columns()[1].id, 1);
  EXPECT_EQ(longer.columns()[1].type.fields[0].id, 2);
  EXPECT_EQ(longer.columns()[1].comment, "c");
  EXPECT_EQ(longer.columns()[2].id, 3);
  EXPECT_EQ(longer.highest_field_id(), 3);

  auto code = [&](Column column) { return add_columns(schema, {std::move(column)}).code(); };
  EXPECT_EQ(code({.name = "a", .type = DataType::string()}), ErrorCode::kInvalidAlterTable);
  EXPECT_EQ(code({.name = "b", .type = DataType::string().not_null()}), ErrorCode::kUnknownServerError);
  EXPECT_EQ(code({.name = "__bucket", .type = DataType::string()}), ErrorCode::kInvalidTable);
  EXPECT_EQ(code({.name = "b", .type = DataType::string(), .agg_function = model::AggFunction{"sum", {}}}),
            ErrorCode::kInvalidConfig);
  EXPECT_EQ(
      add_columns(schema, {{.name = "b", .type = DataType::date()}, {.name = "b", .type = DataType::date()}})
          .code(),
      ErrorCode::kInvalidAlterTable);
}

}  // namespace
}  // namespace strom::coordinator
