#include "model/schema.h"

#include <gtest/gtest.h>

namespace strom::model {
namespace {

// Written by the real client jars.
constexpr std::string_view kGolden =
    R"({"version":1,"columns":[{"name":"a","data_type":{"type":"INTEGER","nullable":false},"id":0},)"
    R"({"name":"b","data_type":{"type":"STRING"},"comment":"c","id":1},)"
    R"({"name":"n","data_type":{"type":"ROW","fields":[)"
    R"({"name":"x","field_type":{"type":"DECIMAL","precision":10,"scale":2},"field_id":3},)"
    R"({"name":"y","field_type":{"type":"ARRAY","element_type":)"
    R"({"type":"TIMESTAMP_WITH_LOCAL_TIME_ZONE","precision":3}},"field_id":4}]},"id":2}],)"
    R"("primary_key":["a"],"highest_field_id":4})";

// A schema that upstream wrote is read, and written back with the same bytes.
TEST(Schema, GoldenJsonIsEqualAfterReadingAndWriting) {
  Schema schema = Schema::parse_json(kGolden).value();
  EXPECT_EQ(schema.to_json(), kGolden);
  EXPECT_EQ(schema.columns().size(), 3);
  EXPECT_EQ(schema.columns()[2].type.to_string(), "ROW<`x` DECIMAL(10, 2), `y` ARRAY<TIMESTAMP_LTZ(3)>>");
  EXPECT_EQ(schema.index_of("n"), 2);
  EXPECT_EQ(schema.find("zz"), nullptr);
}

// The builder gives ids as upstream does (a column before its nested fields) and forces primary keys to NOT
// NULL.
TEST(Schema, BuilderGivesIdsAndForcesPrimaryKeysNotNull) {
  Schema schema = SchemaBuilder()
                      .column("a", DataType::integer())
                      .column("b", DataType::string(), "c")
                      .column("n", DataType::row({{"x", DataType::decimal(10, 2)},
                                                  {"y", DataType::array(DataType::timestamp_ltz(3))}}))
                      .primary_key({"a"})
                      .build()
                      .value();
  EXPECT_EQ(schema.to_json(), kGolden);

  Schema longer = SchemaBuilder(schema).column("z", DataType::boolean()).build().value();
  EXPECT_EQ(longer.columns()[3].id, 5);
  EXPECT_EQ(longer.highest_field_id(), 5);
}

// Every type survives JSON with its parameters, nullability, description and nested ids.
TEST(Schema, EveryTypeSurvivesJson) {
  std::vector<DataType> types = {DataType::boolean(),
                                 DataType::tiny_int(),
                                 DataType::small_int(),
                                 DataType::integer(),
                                 DataType::big_int(),
                                 DataType::float32(),
                                 DataType::float64(),
                                 DataType::character(4),
                                 DataType::string(),
                                 DataType::binary(3),
                                 DataType::bytes(),
                                 DataType::decimal(38, 0),
                                 DataType::date(),
                                 DataType::time(3),
                                 DataType::timestamp(),
                                 DataType::timestamp_ltz(9),
                                 DataType::array(DataType::integer().not_null()),
                                 DataType::map(DataType::string(), DataType::big_int()),
                                 DataType::row({{"x", DataType::integer(), "a description", 7}})};
  for (const DataType& type : types) {
    EXPECT_EQ(DataType::parse_json(type.to_json()).value(), type) << type.to_string();
    EXPECT_EQ(DataType::parse_json(type.not_null().to_json()).value(), type.not_null());
    EXPECT_EQ(find_type_root(type_root_name(type.root)), type.root);
  }
  EXPECT_EQ(DataType::integer().not_null().to_string(), "INT NOT NULL");
  EXPECT_EQ(DataType::map(DataType::character(2), DataType::time()).to_string(), "MAP<CHAR(2), TIME(0)>");
}

// Documents from before ids existed get positions as ids; a mixture is an error.
TEST(Schema, MissingIdsAreGivenByPosition) {
  Schema schema = Schema::parse_json(R"({"version":1,"columns":[{"name":"a","data_type":{"type":"STRING"}},)"
                                     R"({"name":"b","data_type":{"type":"BIGINT"}}]})")
                      .value();
  EXPECT_EQ(schema.columns()[1].id, 1);
  EXPECT_EQ(schema.highest_field_id(), 1);

  Result<Schema> mixed = Schema::make({.columns = {{.name = "a", .type = DataType::string(), .id = 0},
                                                   {.name = "b", .type = DataType::string()}}});
  EXPECT_EQ(mixed.code(), ErrorCode::kInvalidTable);
}

// Each rule that a schema can break is refused with INVALID_TABLE and names the culprit.
TEST(Schema, RefusesBrokenSchemas) {
  auto refused = [](const SchemaBuilder& builder, std::string_view mention) {
    Result<Schema> built = builder.build();
    ASSERT_FALSE(built.ok()) << mention;
    EXPECT_EQ(built.code(), ErrorCode::kInvalidTable);
    EXPECT_NE(built.error().message.find(mention), std::string::npos) << built.error().message;
  };
  auto a = [] { return SchemaBuilder().column("a", DataType::integer()); };
  refused(a().column("a", DataType::string()), "column 'a' comes twice");
  refused(a().primary_key({"b"}), "primary key column 'b'");
  refused(a().primary_key({"a", "a"}), "twice in the primary key");
  refused(a().auto_increment("a"), "primary-key tables only");
  refused(a().primary_key({"a"}).auto_increment("a"), "can't be part of the primary key");
  refused(a().column("s", DataType::string()).primary_key({"a"}).auto_increment("s"), "INT or BIGINT");
  refused(SchemaBuilder().column("a", DataType::integer(), {}, AggFunction{"sum", {}}).primary_key({"a"}),
          "aggregation function");
  refused(SchemaBuilder().column("d", DataType::decimal(39, 0)),
          "DECIMAL precision must be between 1 and 38");
  refused(SchemaBuilder().column("r", DataType::row({{"x", DataType::date()}, {"x", DataType::date()}})),
          "field 'x' comes twice");

  EXPECT_EQ(Schema::make({.columns = {{.name = "a", .type = DataType::string(), .id = 4},
                                      {.name = "b", .type = DataType::string(), .id = 4}}})
                .code(),
            ErrorCode::kInvalidTable);
  EXPECT_EQ(
      Schema::make({.columns = {{.name = "a", .type = DataType::string(), .id = 4}}, .highest_field_id = 3})
          .code(),
      ErrorCode::kInvalidTable);
}

// Anything may arrive instead of a schema: it is refused with a message, never a crash.
TEST(Schema, RefusesBrokenJson) {
  for (std::string_view text :
       {"", "{", "[]", "null", "7", R"({"columns":7})", R"({"columns":[7]})", R"({"columns":[{"name":"a"}]})",
        R"({"columns":[{"name":7,"data_type":{"type":"STRING"}}]})",
        R"({"columns":[{"name":"a","data_type":{"type":"STRONG"}}]})",
        R"({"columns":[{"name":"a","data_type":{"type":"DECIMAL"}}]})",
        R"({"columns":[{"name":"a","data_type":{"type":"CHAR","length":0}}]})",
        R"({"columns":[{"name":"a","data_type":{"type":"CHAR","length":99999999999}}]})",
        R"({"columns":[{"name":"a","data_type":{"type":"STRING","nullable":"no"}}]})",
        R"({"columns":[],"primary_key":[]})", R"({"columns":[],"highest_field_id":1.5})",
        "{\"columns\":[{\"name\":\"\xff\",\"data_type\":{\"type\":\"STRING\"}}]}"}) {
    Result<Schema> parsed = Schema::parse_json(text);
    ASSERT_FALSE(parsed.ok()) << text;
    EXPECT_EQ(parsed.code(), ErrorCode::kInvalidTable);
    EXPECT_FALSE(parsed.error().message.empty());
  }
  // Depth and width are limited: neither the stack nor the time grows with what a client sends.
  std::string deep;
  for (int i = 0; i < 100'000; ++i) deep += R"({"type":"ARRAY","element_type":)";
  EXPECT_EQ(DataType::parse_json(deep).code(), ErrorCode::kInvalidTable);
  std::string wide = "{";
  for (int i = 0; i < 200'000; ++i) wide += fmt::format(R"("k{}":1,)", i);
  EXPECT_EQ(Schema::parse_json(wide + R"("z":1})").code(), ErrorCode::kInvalidTable);
}

}  // namespace
}  // namespace strom::model
