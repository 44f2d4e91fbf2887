// DataType: the type of a column or of a nested field, as a plain value. Values only, any thread.
// Written down in docs/formats/json.md (its JSON). Upstream counterpart: the package types.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "base/result.h"

namespace strom::model {

enum class TypeRoot : uint8_t {
  kChar,
  kString,
  kBoolean,
  kBinary,
  kBytes,
  kDecimal,
  kTinyInt,
  kSmallInt,
  kInteger,
  kDate,
  kTime,  // of day, milliseconds whatever the precision
  kBigInt,
  kFloat,
  kDouble,
  kTimestamp,     // without time zone
  kTimestampLtz,  // an instant
  kArray,
  kMap,
  kRow,
};

// Name in JSON, e.g. "TIMESTAMP_WITH_LOCAL_TIME_ZONE".
std::string_view type_root_name(TypeRoot root);
std::optional<TypeRoot> find_type_root(std::string_view name);

// Id of a column or nested field before one is assigned.
inline constexpr int32_t kNoFieldId = -1;

struct DataField;

// Only the members that its root has are set; the factories below set them.
struct DataType {
  TypeRoot root = TypeRoot::kBoolean;
  bool nullable = true;
  int32_t length = 0;              // kChar, kBinary: 1 … 2^31-1
  int32_t precision = 0;           // kDecimal: 1 … 38; kTime, kTimestamp, kTimestampLtz: 0 … 9
  int32_t scale = 0;               // kDecimal: 0 … precision
  std::vector<DataType> children;  // kArray: element; kMap: key, value
  std::vector<DataField> fields;   // kRow

  static DataType of(TypeRoot root);  // a type without parameters
  static DataType boolean();
  static DataType tiny_int();
  static DataType small_int();
  static DataType integer();
  static DataType big_int();
  static DataType float32();
  static DataType float64();
  static DataType string();
  static DataType bytes();
  static DataType date();
  static DataType character(int32_t length);
  static DataType binary(int32_t length);
  static DataType decimal(int32_t precision, int32_t scale);
  static DataType time(int32_t precision = 0);
  static DataType timestamp(int32_t precision = 6);
  static DataType timestamp_ltz(int32_t precision = 6);
  static DataType array(DataType element);
  static DataType map(DataType key, DataType value);
  static DataType row(std::vector<DataField> fields);

  DataType not_null() const;
  DataType with_nullable(bool value) const;

  const DataType& element() const { return children[0]; }
  const DataType& key() const { return children[0]; }
  const DataType& value() const { return children[1]; }
  bool is_nested() const {
    return root == TypeRoot::kArray || root == TypeRoot::kMap || root == TypeRoot::kRow;
  }

  // As upstream prints types in messages: "INT NOT NULL", "DECIMAL(10, 2)", "ROW<`x` INT>".
  std::string to_string() const;

  std::string to_json() const;
  // The JSON of one type, as in ADD COLUMN; kInvalidTable with what is wrong.
  static Result<DataType> parse_json(std::string_view json);

  friend bool operator==(const DataType& a, const DataType& b);
};

// A field of a ROW.
struct DataField {
  std::string name;
  DataType type;
  std::optional<std::string> description = std::nullopt;
  int32_t id = kNoFieldId;

  friend bool operator==(const DataField&, const DataField&) = default;
};

// Parameters in range, children present, field names present and unique; kInvalidTable otherwise.
Status validate(const DataType& type);

}  // namespace strom::model

template <>
struct fmt::formatter<strom::model::DataType> : fmt::formatter<std::string_view> {
  auto format(const strom::model::DataType& type, fmt::format_context& ctx) const {
    return fmt::formatter<std::string_view>::format(type.to_string(), ctx);
  }
};
