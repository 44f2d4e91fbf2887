#include "model/table_options.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "model/table_info.h"

namespace strom::model {
namespace {

// Nothing set: the defaults of upstream.
TEST(TableOptions, Defaults) {
  TableOptions options = TableOptions::parse({}).value();
  EXPECT_EQ(options, TableOptions());
  EXPECT_EQ(options.log_format, LogFormat::kArrow);
  EXPECT_EQ(options.arrow_compression, ArrowCompression::kZstd);
  EXPECT_EQ(options.log_ttl, Millis(604'800'000));
  EXPECT_EQ(options.auto_partition.num_retention, 7);
}

// Every kind of value is read; enumerations and booleans in any case; unknown keys are left alone.
TEST(TableOptions, ReadsEveryKindOfValue) {
  TableOptions options = TableOptions::parse({{"table.replication.factor", "3"},
                                              {"table.log.format", "indexed"},
                                              {"table.log.arrow.compression.type", "lz4_frame"},
                                              {"table.log.ttl", "0 s"},
                                              {"table.log.local-ttl", "1 h"},
                                              {"table.auto-partition.enabled", "TRUE"},
                                              {"table.auto-partition.time-unit", "hour"},
                                              {"table.auto-partition.num-retention", "-1"},
                                              {"table.auto-partition.key", "dt"},
                                              {"table.statistics.columns", "a, b ,,c"},
                                              {"table.datalake.format", "Paimon"},
                                              {"table.auto-increment.cache-size", "5000000000"},
                                              {"table.from.the.future", "?"}})
                             .value();
  EXPECT_EQ(options.replication_factor, 3);
  EXPECT_EQ(options.log_format, LogFormat::kIndexed);
  EXPECT_EQ(options.arrow_compression, ArrowCompression::kLz4Frame);
  EXPECT_EQ(options.log_ttl, Millis(0));
  EXPECT_EQ(options.log_local_ttl, Millis(3'600'000));
  EXPECT_TRUE(options.auto_partition.enabled);
  EXPECT_EQ(options.auto_partition.unit, AutoPartitionUnit::kHour);
  EXPECT_EQ(options.auto_partition.num_retention, -1);
  EXPECT_EQ(options.auto_partition.key, "dt");
  EXPECT_EQ(options.statistics.columns, (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_EQ(options.lake_format, LakeFormat::kPaimon);
  EXPECT_EQ(options.auto_increment_cache_size, 5'000'000'000);
  EXPECT_EQ(TableOptions::parse({{"table.statistics.columns", " * "}}).value().statistics.mode,
            StatisticsColumns::Mode::kAll);
  EXPECT_EQ(to_string(LakeFormat::kPaimon), "paimon");
  EXPECT_EQ(to_string(ArrowCompression::kLz4Frame), "LZ4_FRAME");
}

// A bad value names the key, the value and what is allowed.
TEST(TableOptions, BadValuesSayWhatIsAllowed) {
  auto message = [](std::string key, std::string value) {
    Result<TableOptions> parsed = TableOptions::parse({{key, value}});
    EXPECT_EQ(parsed.code(), ErrorCode::kInvalidConfig);
    return parsed.ok() ? "" : parsed.error().message;
  };
  EXPECT_EQ(
      message("table.log.format", "parquet"),
      "Invalid value 'parquet' for config 'table.log.format': expected one of ARROW, INDEXED, COMPACTED");
  EXPECT_EQ(
      message("table.replication.factor", "3000000000"),
      "Invalid value '3000000000' for config 'table.replication.factor': expected a whole number of 32 bits");
  EXPECT_NE(message("table.log.ttl", "7").find("table.log.ttl"), std::string::npos);
  EXPECT_NE(message("table.auto-partition.enabled", "yes").find("false, true"), std::string::npos);
  for (const char* number : {"", "+", "+-3", "1.5", " 1", "0x1"}) message("table.replication.factor", number);
}

// Which keys exist, and which of them ALTER TABLE may change.
TEST(TableOptions, KnownAndAlterableKeys) {
  EXPECT_EQ(known_table_options().size(), 29);
  EXPECT_TRUE(is_known_table_option("table.log.ttl"));
  EXPECT_FALSE(is_known_table_option("table.log"));
  EXPECT_TRUE(is_alterable_table_option("table.log.ttl"));
  EXPECT_FALSE(is_alterable_table_option("table.log.format"));
  EXPECT_FALSE(is_alterable_table_option("table.unknown"));
  EXPECT_EQ(std::ranges::count_if(known_table_options(), is_alterable_table_option), 12);
}

// A table's registration and schema become one TableInfo, and back the descriptor that clients read.
TEST(TableInfo, IsMadeFromRegistrationAndSchema) {
  Schema schema =
      SchemaBuilder().column("a", DataType::integer()).column("p", DataType::string()).build().value();
  TableDescriptor descriptor{
      .schema = schema,
      .comment = "c",
      .partition_keys = {"p"},
      .distribution = Distribution{.bucket_count = 3, .bucket_keys = {"a"}},
      .properties = {{"table.log.ttl", "1d"}, {"table.auto-partition.enabled", "true"}},
      .custom_properties = {{"k", "v"}}};
  auto registration = TableRegistration::make(TableId(7), descriptor, "file:///r", Timestamp(5)).value();
  TableInfo info = make_table_info({"db", "t"}, registration, {SchemaId(1), schema}).value();
  EXPECT_EQ(info.options.log_ttl, Millis(86'400'000));
  EXPECT_TRUE(info.is_auto_partitioned());
  EXPECT_EQ(info.descriptor(), descriptor);

  registration.properties.set("table.log.ttl", "soon");
  EXPECT_EQ(make_table_info({"db", "t"}, registration, {SchemaId(1), schema}).code(),
            ErrorCode::kInvalidConfig);
}

}  // namespace
}  // namespace strom::model
