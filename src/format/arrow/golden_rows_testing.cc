#include "format/arrow/golden_rows_testing.h"

#include <limits>

namespace strom::format::arrow {

using model::DataType;
using model::Schema;

namespace {

Schema schema_of(std::vector<std::pair<std::string, DataType>> columns) {
  model::SchemaBuilder builder;
  for (auto& [name, type] : columns) builder.column(name, std::move(type));
  return builder.build().value();
}

Value decimal(const char* text, int precision, int scale) {
  return parse_decimal(text, precision, scale).value();
}

Value timestamp(int64_t millis, int32_t nanos = 0) {
  return Timestamp{.millis = millis, .nanos_of_milli = nanos};
}

template <class... T>
RowValue row(T&&... fields) {
  return RowValue{.fields = {Value(std::forward<T>(fields))...}};
}
template <class... T>
ArrayValue array(T&&... elements) {
  return ArrayValue{.elements = {Value(std::forward<T>(elements))...}};
}
RowValue nulls(size_t count) { return RowValue{.fields = std::vector<Value>(count)}; }

}  // namespace

Schema types_schema() {
  return schema_of({{"bo", DataType::boolean()},       {"ti", DataType::tiny_int()},
                    {"si", DataType::small_int()},     {"i", DataType::integer()},
                    {"bi", DataType::big_int()},       {"f", DataType::float32()},
                    {"d", DataType::float64()},        {"c4", DataType::character(4)},
                    {"s", DataType::string()},         {"b3", DataType::binary(3)},
                    {"by", DataType::bytes()},         {"d10", DataType::decimal(10, 2)},
                    {"d25", DataType::decimal(25, 3)}, {"da", DataType::date()},
                    {"t0", DataType::time(0)},         {"t3", DataType::time(3)},
                    {"t9", DataType::time(9)},         {"p0", DataType::timestamp(0)},
                    {"p3", DataType::timestamp(3)},    {"p6", DataType::timestamp(6)},
                    {"l9", DataType::timestamp_ltz(9)}});
}

std::vector<RowValue> types_rows() {
  RowValue full =
      row(true, int8_t{-2}, int16_t{300}, int32_t{-5}, int64_t{1234567890123}, 1.5f, -2.25, "ab  ",
          "h\xc3\xa9llo, world", Buffer{1, 2, 3}, Buffer{9, 8}, decimal("12345.67", 10, 2),
          decimal("-1234567890123456789.125", 25, 3), int32_t{19000}, int32_t{45296000}, int32_t{45296789},
          int32_t{45296789}, timestamp(1700000000000), timestamp(1700000000123),
          timestamp(1700000000123, 456000), timestamp(1700000000123, 456789));
  RowValue boundary =
      row(false, std::numeric_limits<int8_t>::min(), std::numeric_limits<int16_t>::min(),
          std::numeric_limits<int32_t>::min(), std::numeric_limits<int64_t>::min(),
          std::numeric_limits<float>::quiet_NaN(), -0.0, "", "", Buffer{0, 0, 0}, Buffer{},
          decimal("-99999999.99", 10, 2), decimal("9999999999999999999999.999", 25, 3), int32_t{-719162},
          int32_t{0}, int32_t{86399999}, int32_t{86399999}, timestamp(-62135596800000), timestamp(-1),
          timestamp(-1, 999000), timestamp(-1, 999999));
  return {full, nulls(21), boundary};
}

Schema nested_schema() {
  return schema_of({{"a", DataType::array(DataType::integer())},
                    {"m", DataType::map(DataType::string().not_null(), DataType::big_int())},
                    {"r", DataType::row({{"x", DataType::integer()},
                                         {"y", DataType::string()},
                                         {"z", DataType::array(DataType::boolean())}})},
                    {"aa", DataType::array(DataType::array(DataType::string()))},
                    {"ar", DataType::array(DataType::row({{"p", DataType::float64()}}))}});
}

std::vector<RowValue> nested_rows() {
  return {
      row(array(int32_t{1}, nullptr, int32_t{3}),
          MapValue{.keys = {Value("k1"), Value("k2")}, .values = {Value(int64_t{11}), Value()}},
          row(int32_t{42}, "longer than seven", array(true, false, nullptr)),
          array(array("u", nullptr), nullptr, ArrayValue{}), array(row(1.5), nullptr, row(nullptr))),
      nulls(5),
      row(ArrayValue{}, MapValue{}, nulls(3), ArrayValue{}, ArrayValue{}),
      row(array(int32_t{7}), MapValue{.keys = {Value("z")}, .values = {Value(int64_t{26})}},
          row(int32_t{1}, "w", ArrayValue{}), array(array("v")), array(row(2.5))),
  };
}

std::vector<RowValue> empty_array_rows() {
  return {row(ArrayValue{}, MapValue{}, nullptr, ArrayValue{}, ArrayValue{}), nulls(5)};
}

Schema changes_schema() {
  return schema_of({{"a", DataType::integer()}, {"b", DataType::string()}, {"c", DataType::big_int()}});
}

std::vector<RowValue> changes_rows() {
  RowValue before = row(int32_t{1}, "one", int64_t{10});
  RowValue after = row(int32_t{1}, nullptr, int64_t{11});
  return {before, before, after, after};
}

Schema projected(const Schema& schema, const std::vector<int32_t>& positions) {
  std::vector<std::pair<std::string, DataType>> columns;
  for (int32_t position : positions) {
    const model::Column& column = schema.columns()[static_cast<size_t>(position)];
    columns.emplace_back(column.name, column.type);
  }
  return schema_of(std::move(columns));
}

std::vector<RowValue> projected(const std::vector<RowValue>& rows, const std::vector<int32_t>& positions) {
  std::vector<RowValue> chosen;
  for (const RowValue& from : rows) {
    RowValue to;
    for (int32_t position : positions) to.fields.push_back(from.fields[static_cast<size_t>(position)]);
    chosen.push_back(std::move(to));
  }
  return chosen;
}

}  // namespace strom::format::arrow
