// Reads the fixtures of tests/golden: JSON lines, and the tables (schema and rows) to which they refer. Tests
// only; a fixture that is missing or malformed ends the test program.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/bytes.h"
#include "format/row/value.h"
#include "model/data_type.h"
#include "model/schema.h"

namespace strom::golden {

using Json = nlohmann::json;

// The lines of FOLDER/FILE; at least one.
std::vector<std::string> text_lines(const std::string& path);
std::vector<Json> json_lines(const std::string& path);

struct Table {
  model::Schema schema;
  model::DataType row_type;
  std::vector<format::RowValue> rows;
};
// Of tables/tables.jsonl.
const Table& table(const std::string& name);

Buffer bytes_of(const Json& hex);

}  // namespace strom::golden
