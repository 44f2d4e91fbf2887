#include "model/partition.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace strom::model {
namespace {

const TablePath kTable{"db", "t"};
const std::vector<std::string> kKeys = {"year", "region"};

// A spec in any order becomes values in the table's order; names are values joined by '$'.
TEST(Partition, SpecsAreResolvedInTheOrderOfTheTable) {
  PartitionSpec spec{{{"region", "us"}, {"year", "2024"}}};
  ResolvedPartition partition = resolve_partition(kTable, kKeys, spec, PartitionUse::kNew).value();
  EXPECT_EQ(partition.name(), "2024$us");
  EXPECT_EQ(partition.qualified_name(), "year=2024/region=us");
  EXPECT_EQ(ResolvedPartition::from_name(kKeys, "2024$us").value(), partition);
  EXPECT_EQ(partition.spec(), (PartitionSpec{{{"year", "2024"}, {"region", "us"}}}));
  EXPECT_EQ(ResolvedPartition::from_name(kKeys, "2024").code(), ErrorCode::kPartitionSpecInvalid);
}

// Missing keys, unknown keys and values that are no names are refused; the reserved prefix only for new
// partitions.
TEST(Partition, RefusesSpecsThatDoNotFit) {
  auto code = [](PartitionSpec spec, PartitionUse use = PartitionUse::kNew) {
    return resolve_partition(kTable, kKeys, spec, use).code();
  };
  EXPECT_EQ(code({{{"year", "2024"}}}), ErrorCode::kPartitionSpecInvalid);
  EXPECT_EQ(code({{{"year", "2024"}, {"month", "1"}}}), ErrorCode::kPartitionSpecInvalid);
  EXPECT_EQ(code({{{"year", "2024"}, {"region", "a b"}}}), ErrorCode::kPartitionSpecInvalid);
  EXPECT_EQ(code({{{"year", "2024"}, {"region", ""}}}), ErrorCode::kPartitionSpecInvalid);
  EXPECT_EQ(code({{{"year", "2024"}, {"region", "__x"}}}), ErrorCode::kPartitionSpecInvalid);
  EXPECT_EQ(code({{{"year", "2024"}, {"region", "__x"}}}, PartitionUse::kExisting), ErrorCode::kNone);
}

// A filter names some keys; a partition matches when those values are equal.
TEST(Partition, FiltersMatchPartOfTheKeys) {
  ResolvedPartition partition = ResolvedPartition::from_name(kKeys, "2024$us").value();
  EXPECT_TRUE(partition.matches({}));
  EXPECT_TRUE(partition.matches({{{"region", "us"}}}));
  EXPECT_FALSE(partition.matches({{{"region", "eu"}}}));
  EXPECT_TRUE(validate_partition_filter(kTable, kKeys, {{{"region", "x"}}}).ok());
  EXPECT_EQ(validate_partition_filter(kTable, kKeys, {{{"month", "x"}}}).code(),
            ErrorCode::kPartitionSpecInvalid);
}

// Typed values give the strings of the real clients.
TEST(Partition, ValuesOfTypedColumns) {
  EXPECT_EQ(partition_value_of_bool(true), "true");
  EXPECT_EQ(partition_value_of_bytes(from_hex("ab01")), "ab01");
  EXPECT_EQ(partition_value_of_date(19000), "2022-01-08");
  EXPECT_EQ(partition_value_of_date(-1), "1969-12-31");
  EXPECT_EQ(partition_value_of_time(45'296'789), "12-34-56_789");
  EXPECT_EQ(partition_value_of_timestamp(1'700'000'000'123, 456'000), "2023-11-14-22-13-20_123456");
  EXPECT_EQ(partition_value_of_timestamp(1'700'000'000'000, 0), "2023-11-14-22-13-20_");
  EXPECT_EQ(partition_value_of_timestamp(-1, 0), "1969-12-31-23-59-59_999");
}

// Floating point numbers look as Java prints them, with '_' for the point.
TEST(Partition, ValuesOfFloatingPointColumns) {
  EXPECT_EQ(partition_value_of_float(1.5F), "1_5");
  EXPECT_EQ(partition_value_of_double(-2.25), "-2_25");
  EXPECT_EQ(partition_value_of_double(100), "100_0");
  EXPECT_EQ(partition_value_of_double(0.001), "0_001");
  EXPECT_EQ(partition_value_of_double(0.00015), "1_5E-4");
  EXPECT_EQ(partition_value_of_double(1e7), "1_0E7");
  EXPECT_EQ(partition_value_of_double(1234567.5), "1234567_5");
  EXPECT_EQ(partition_value_of_double(-0.0), "-0_0");
  EXPECT_EQ(partition_value_of_float(0.1F), "0_1");
  EXPECT_EQ(partition_value_of_float(std::numeric_limits<float>::denorm_min()), "1_4E-45");
  EXPECT_EQ(partition_value_of_double(std::numeric_limits<double>::denorm_min()), "4_9E-324");
  EXPECT_EQ(partition_value_of_double(2e-3), "0_002");
  EXPECT_EQ(partition_value_of_double(std::numeric_limits<double>::infinity()), "Inf");
  EXPECT_EQ(partition_value_of_float(-std::numeric_limits<float>::infinity()), "-Inf");
  EXPECT_EQ(partition_value_of_double(std::nan("")), "NaN");
}

}  // namespace
}  // namespace strom::model
