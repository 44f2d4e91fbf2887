#include "tests/golden/fixtures.h"

#include <bit>
#include <fstream>
#include <map>

#include "base/check.h"

namespace strom::golden {

using format::Value;
using model::DataType;
using model::TypeRoot;

namespace {

Value value_of(const DataType& type, const Json& json);

std::vector<Value> values_of(const DataType& element, const Json& json) {
  std::vector<Value> values;
  for (const Json& item : json) values.push_back(value_of(element, item));
  return values;
}

format::RowValue row_of(const DataType& type, const Json& json) {
  STROM_CHECK(json.size() == type.fields.size(), "row {} of {}", json.dump(), type);
  format::RowValue row;
  for (size_t i = 0; i < json.size(); ++i) row.fields.push_back(value_of(type.fields[i].type, json[i]));
  return row;
}

format::MapValue map_of(const DataType& type, const Json& json) {
  format::MapValue map;
  for (const Json& pair : json) {
    map.keys.push_back(value_of(type.key(), pair.at(0)));
    map.values.push_back(value_of(type.value(), pair.at(1)));
  }
  return map;
}

uint64_t bits_of(const Json& json) { return std::stoull(json.get<std::string>(), nullptr, 16); }

Value value_of(const DataType& type, const Json& json) {
  if (json.is_null()) return {};
  switch (type.root) {
    case TypeRoot::kBoolean:
      return json.get<bool>();
    case TypeRoot::kTinyInt:
      return json.get<int8_t>();
    case TypeRoot::kSmallInt:
      return json.get<int16_t>();
    case TypeRoot::kInteger:
    case TypeRoot::kDate:
    case TypeRoot::kTime:
      return json.get<int32_t>();
    case TypeRoot::kBigInt:
      return json.get<int64_t>();
    case TypeRoot::kFloat:
      return std::bit_cast<float>(static_cast<uint32_t>(bits_of(json)));
    case TypeRoot::kDouble:
      return std::bit_cast<double>(bits_of(json));
    case TypeRoot::kChar:
    case TypeRoot::kString:
      return json.get<std::string>();
    case TypeRoot::kBinary:
    case TypeRoot::kBytes:
      return bytes_of(json);
    case TypeRoot::kDecimal:
      return *format::parse_decimal(json.get<std::string>(), type.precision, type.scale);
    case TypeRoot::kTimestamp:
    case TypeRoot::kTimestampLtz:
      return format::Timestamp{.millis = json.at(0).get<int64_t>(),
                               .nanos_of_milli = json.at(1).get<int32_t>()};
    case TypeRoot::kArray:
      return format::ArrayValue{values_of(type.element(), json)};
    case TypeRoot::kMap:
      return map_of(type, json);
    case TypeRoot::kRow:
      return row_of(type, json);
  }
  STROM_CHECK(false, "type {}", type);
}

std::map<std::string, Table> read_tables() {
  std::map<std::string, Table> tables;
  for (const Json& line : json_lines("tables/tables.jsonl")) {
    Table table;
    table.schema = *model::Schema::parse_json(line.at("schema").dump());
    table.row_type = table.schema.row_type();
    for (const Json& row : line.at("rows")) table.rows.push_back(row_of(table.row_type, row));
    tables.emplace(line.at("name").get<std::string>(), std::move(table));
  }
  return tables;
}

}  // namespace

std::vector<std::string> text_lines(const std::string& path) {
  std::ifstream file(std::string(STROM_GOLDEN_DIR) + "/" + path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  STROM_CHECK(!lines.empty(), "no fixtures in tests/golden/{}: run tests/golden/regenerate", path);
  return lines;
}

std::vector<Json> json_lines(const std::string& path) {
  std::vector<Json> lines;
  for (const std::string& line : text_lines(path)) lines.push_back(Json::parse(line));
  return lines;
}

const Table& table(const std::string& name) {
  static const auto* const kTables = new std::map<std::string, Table>(read_tables());
  const auto found = kTables->find(name);
  STROM_CHECK(found != kTables->end(), "no table {} in tests/golden/tables", name);
  return found->second;
}

Buffer bytes_of(const Json& hex) {
  const auto text = hex.get<std::string>();
  Buffer bytes = from_hex(text);
  STROM_CHECK(bytes.size() * 2 == text.size(), "no hex: {}", text);
  return bytes;
}

}  // namespace strom::golden
