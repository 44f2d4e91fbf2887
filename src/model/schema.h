// Schema: the columns of a table, its primary key, and the ids by which columns and nested fields are known
// when the schema changes. A Schema that exists is valid. Values only, any thread. Written down in
// docs/formats/json.md. Upstream counterpart: metadata/Schema.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/data_type.h"
#include "model/ids.h"
#include "model/properties.h"

namespace strom::model {

// How the aggregation merge engine merges a column: a name and its parameters, which only that engine
// understands.
struct AggFunction {
  std::string type;  // e.g. "sum"
  Properties parameters;

  friend bool operator==(const AggFunction&, const AggFunction&) = default;
};

struct Column {
  std::string name;
  DataType type;
  std::optional<std::string> comment = std::nullopt;
  std::optional<AggFunction> agg_function = std::nullopt;
  int32_t id = kNoFieldId;

  friend bool operator==(const Column&, const Column&) = default;
};

class Schema {
 public:
  // A schema as it stands in a document.
  struct Parts {
    std::vector<Column> columns;
    std::vector<std::string> primary_key = {};
    std::vector<std::string> auto_increment_columns = {};
    std::optional<int32_t> highest_field_id = std::nullopt;  // absent: the highest id in use
  };

  Schema() = default;  // no columns
  // Checks and completes: columns that all lack an id get their position as id (nested fields follow); a
  // mixture of set and unset ids is an error, and so are duplicate names or ids. Primary key columns become
  // NOT NULL. kInvalidTable.
  static Result<Schema> make(Parts parts);

  const std::vector<Column>& columns() const { return parts_.columns; }
  const std::vector<std::string>& primary_key() const { return parts_.primary_key; }  // empty: a log table
  bool has_primary_key() const { return !parts_.primary_key.empty(); }
  const std::vector<std::string>& auto_increment_columns() const { return parts_.auto_increment_columns; }
  // The highest id that was ever given to a column or nested field; -1 for a schema without columns.
  int32_t highest_field_id() const { return parts_.highest_field_id.value_or(kNoFieldId); }

  std::optional<size_t> index_of(std::string_view column) const;
  const Column* find(std::string_view column) const;  // null when absent
  // The columns as one ROW type.
  DataType row_type() const;

  std::string to_json() const;
  static Result<Schema> parse_json(std::string_view json);  // kInvalidTable

  friend bool operator==(const Schema& a, const Schema& b);

 private:
  Parts parts_;
};

// Builds a schema column by column; ids are given in order, a column before its nested fields:
//   a INT -> 0      n ROW<x INT, y INT> -> 1 (x 2, y 3)      b INT -> 4
class SchemaBuilder {
 public:
  SchemaBuilder() = default;
  // Continues a schema: its ids stay, new columns get ids above its highest.
  explicit SchemaBuilder(const Schema& base);

  SchemaBuilder& column(std::string name, DataType type, std::optional<std::string> comment = std::nullopt,
                        std::optional<AggFunction> agg_function = std::nullopt);
  SchemaBuilder& primary_key(std::vector<std::string> columns);
  SchemaBuilder& auto_increment(std::string column);
  Result<Schema> build() const;

 private:
  Schema::Parts parts_;
  int32_t highest_field_id_ = kNoFieldId;
};

// A schema and its number in the table's history.
struct SchemaInfo {
  SchemaId id{};
  Schema schema;

  friend bool operator==(const SchemaInfo&, const SchemaInfo&) = default;
};

}  // namespace strom::model
