#include "model/table_descriptor.h"

#include <gtest/gtest.h>

#include "model/database_descriptor.h"

namespace strom::model {
namespace {

// Written by the real client jars.
constexpr std::string_view kGolden =
    R"({"version":1,"schema":{"version":1,"columns":[)"
    R"({"name":"a","data_type":{"type":"INTEGER","nullable":false},"id":0},)"
    R"({"name":"b","data_type":{"type":"STRING"},"comment":"c","id":1},)"
    R"({"name":"n","data_type":{"type":"ROW","fields":[)"
    R"({"name":"x","field_type":{"type":"DECIMAL","precision":10,"scale":2},"field_id":3},)"
    R"({"name":"y","field_type":{"type":"ARRAY","element_type":)"
    R"({"type":"TIMESTAMP_WITH_LOCAL_TIME_ZONE","precision":3}},"field_id":4}]},"id":2}],)"
    R"("primary_key":["a"],"highest_field_id":4},"comment":"t","partition_key":[],"bucket_key":["a"],)"
    R"("bucket_count":3,"properties":{"table.log.ttl":"7d"},"custom_properties":{"k":"v"}})";

Schema columns(std::vector<std::string> names, std::vector<std::string> primary_key = {}) {
  SchemaBuilder builder;
  for (std::string& name : names) builder.column(name, DataType::string());
  return builder.primary_key(std::move(primary_key)).build().value();
}

// A descriptor that upstream wrote is read, and written back with the same bytes.
TEST(TableDescriptor, GoldenJsonIsEqualAfterReadingAndWriting) {
  TableDescriptor table = TableDescriptor::parse_json(kGolden).value();
  EXPECT_EQ(table.to_json(), kGolden);
  EXPECT_EQ(table.comment, "t");
  EXPECT_EQ(table.bucket_count(), 3);
  EXPECT_EQ(*table.properties.find("table.log.ttl"), "7d");
}

// Properties keep the order of the document; comparing ignores it.
TEST(TableDescriptor, PropertiesKeepTheirOrder) {
  std::string text =
      R"({"version":1,"schema":{"version":1,"columns":[{"name":"a","data_type":{"type":"STRING"},"id":0}],)"
      R"("highest_field_id":0},"partition_key":[],"properties":{"z":"1","a":"2"},"custom_properties":{}})";
  EXPECT_EQ(TableDescriptor::parse_json(text).value().to_json(), text);
  EXPECT_EQ((Properties{{"z", "1"}, {"a", "2"}}), (Properties{{"a", "2"}, {"z", "1"}}));
  EXPECT_FALSE((Properties{{"z", "1"}}) == (Properties{{"z", "2"}}));
}

// A primary-key table gets the primary key without the partition keys as bucket key; a log table gets none.
TEST(TableDescriptor, NormalisesTheBucketKey) {
  TableDescriptor keyed{.schema = columns({"a", "b", "p"}, {"a", "p"}), .partition_keys = {"p"}};
  EXPECT_EQ(normalize(keyed).value().bucket_keys(), std::vector<std::string>{"a"});
  EXPECT_EQ(normalize(keyed).value().bucket_count(), std::nullopt);
  TableDescriptor log{.schema = columns({"a", "b"})};
  EXPECT_FALSE(normalize(log).value().distribution.has_value());
}

// Each rule about keys that a descriptor can break is refused with INVALID_TABLE.
TEST(TableDescriptor, RefusesKeysThatDoNotFit) {
  auto code = [](TableDescriptor table) { return normalize(std::move(table)).code(); };
  Schema log = columns({"a", "b"});
  Schema keyed = columns({"a", "b", "p"}, {"a", "p"});
  EXPECT_EQ(code({.schema = log, .partition_keys = {"x"}}), ErrorCode::kInvalidTable);
  EXPECT_EQ(code({.schema = log, .distribution = Distribution{.bucket_keys = {"x"}}}),
            ErrorCode::kInvalidTable);
  EXPECT_EQ(
      code({.schema = log, .partition_keys = {"a"}, .distribution = Distribution{.bucket_keys = {"a"}}}),
      ErrorCode::kInvalidTable);
  EXPECT_EQ(code({.schema = keyed, .partition_keys = {"b"}}), ErrorCode::kInvalidTable);
  EXPECT_EQ(code({.schema = keyed, .distribution = Distribution{.bucket_keys = {"b"}}}),
            ErrorCode::kInvalidTable);
  EXPECT_EQ(code({.schema = keyed, .partition_keys = {"a", "p"}}), ErrorCode::kInvalidTable);
  EXPECT_EQ(code({.schema = log, .distribution = Distribution{.bucket_keys = {"a", "b"}}}), ErrorCode::kNone);
}

// Members that upstream requires are required; a null comment is no comment.
TEST(TableDescriptor, RefusesBrokenJson) {
  EXPECT_EQ(TableDescriptor::parse_json("{}").code(), ErrorCode::kInvalidTable);
  EXPECT_EQ(TableDescriptor::parse_json(R"({"schema":{"columns":[]},"partition_key":[]})").code(),
            ErrorCode::kInvalidTable);
  EXPECT_EQ(DatabaseDescriptor::parse_json("{}").code(), ErrorCode::kInvalidDatabase);
}

// Databases: as upstream writes them, with and without a comment.
TEST(DatabaseDescriptor, SurvivesJson) {
  for (std::string_view text : {R"({"version":1,"comment":"c","custom_properties":{"k":"v","a":"b"}})",
                                R"({"version":1,"custom_properties":{}})"}) {
    EXPECT_EQ(DatabaseDescriptor::parse_json(text).value().to_json(), text);
  }
  EXPECT_EQ(DatabaseDescriptor::parse_json(R"({"comment":null,"custom_properties":{"n":7}})").value(),
            (DatabaseDescriptor{.custom_properties = {{"n", "7"}}}));
}

}  // namespace
}  // namespace strom::model
