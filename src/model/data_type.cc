#include "model/data_type.h"

#include <array>
#include <unordered_set>

namespace strom::model {
namespace {

struct RootName {
  TypeRoot root;
  std::string_view json;     // as in documents
  std::string_view printed;  // as in messages, without parameters
};

constexpr auto kRootNames = std::to_array<RootName>({
    {TypeRoot::kChar, "CHAR", "CHAR"},
    {TypeRoot::kString, "STRING", "STRING"},
    {TypeRoot::kBoolean, "BOOLEAN", "BOOLEAN"},
    {TypeRoot::kBinary, "BINARY", "BINARY"},
    {TypeRoot::kBytes, "BYTES", "BYTES"},
    {TypeRoot::kDecimal, "DECIMAL", "DECIMAL"},
    {TypeRoot::kTinyInt, "TINYINT", "TINYINT"},
    {TypeRoot::kSmallInt, "SMALLINT", "SMALLINT"},
    {TypeRoot::kInteger, "INTEGER", "INT"},
    {TypeRoot::kDate, "DATE", "DATE"},
    {TypeRoot::kTime, "TIME_WITHOUT_TIME_ZONE", "TIME"},
    {TypeRoot::kBigInt, "BIGINT", "BIGINT"},
    {TypeRoot::kFloat, "FLOAT", "FLOAT"},
    {TypeRoot::kDouble, "DOUBLE", "DOUBLE"},
    {TypeRoot::kTimestamp, "TIMESTAMP_WITHOUT_TIME_ZONE", "TIMESTAMP"},
    {TypeRoot::kTimestampLtz, "TIMESTAMP_WITH_LOCAL_TIME_ZONE", "TIMESTAMP_LTZ"},
    {TypeRoot::kArray, "ARRAY", "ARRAY"},
    {TypeRoot::kMap, "MAP", "MAP"},
    {TypeRoot::kRow, "ROW", "ROW"},
});

DataType with_length(TypeRoot root, int32_t length) {
  DataType type = DataType::of(root);
  type.length = length;
  return type;
}

DataType with_precision(TypeRoot root, int32_t precision) {
  DataType type = DataType::of(root);
  type.precision = precision;
  return type;
}

std::string quoted(std::string_view name, char quote) {
  std::string result(1, quote);
  for (char c : name) {
    if (c == quote) result += quote;
    result += c;
  }
  return result + quote;
}

std::string print_field(const DataField& field) {
  std::string text = fmt::format("{} {}", quoted(field.name, '`'), field.type);
  if (field.description) text += fmt::format(" {}", quoted(*field.description, '\''));
  return text;
}

std::string print_parameters(const DataType& type) {
  switch (type.root) {
    case TypeRoot::kChar:
    case TypeRoot::kBinary:
      return fmt::format("({})", type.length);
    case TypeRoot::kDecimal:
      return fmt::format("({}, {})", type.precision, type.scale);
    case TypeRoot::kTime:
    case TypeRoot::kTimestamp:
    case TypeRoot::kTimestampLtz:
      return fmt::format("({})", type.precision);
    case TypeRoot::kArray:
      return fmt::format("<{}>", type.element());
    case TypeRoot::kMap:
      return fmt::format("<{}, {}>", type.key(), type.value());
    case TypeRoot::kRow: {
      std::string fields;
      for (const DataField& field : type.fields) {
        if (!fields.empty()) fields += ", ";
        fields += print_field(field);
      }
      return fmt::format("<{}>", fields);
    }
    default:
      return {};
  }
}

Status in_range(const DataType& type, std::string_view what, int32_t value, int32_t low, int32_t high) {
  if (value >= low && value <= high) return {};
  return make_error(ErrorCode::kInvalidTable, "{} {} must be between {} and {}, found {}",
                    type_root_name(type.root), what, low, high, value);
}

Status validate_fields(const std::vector<DataField>& fields) {
  std::unordered_set<std::string_view> names;
  for (const DataField& field : fields) {
    if (field.name.find_first_not_of(" \t\r\n") == std::string::npos) {
      return make_error(ErrorCode::kInvalidTable, "a field of a ROW has no name");
    }
    if (!names.insert(field.name).second) {
      return make_error(ErrorCode::kInvalidTable, "field '{}' comes twice in a ROW", field.name);
    }
    STROM_TRY(validate(field.type));
  }
  return {};
}

}  // namespace

std::string_view type_root_name(TypeRoot root) { return kRootNames[static_cast<size_t>(root)].json; }

std::optional<TypeRoot> find_type_root(std::string_view name) {
  for (const RootName& entry : kRootNames) {
    if (entry.json == name) return entry.root;
  }
  return std::nullopt;
}

DataType DataType::of(TypeRoot root) {
  DataType type;
  type.root = root;
  return type;
}

DataType DataType::boolean() { return of(TypeRoot::kBoolean); }
DataType DataType::tiny_int() { return of(TypeRoot::kTinyInt); }
DataType DataType::small_int() { return of(TypeRoot::kSmallInt); }
DataType DataType::integer() { return of(TypeRoot::kInteger); }
DataType DataType::big_int() { return of(TypeRoot::kBigInt); }
DataType DataType::float32() { return of(TypeRoot::kFloat); }
DataType DataType::float64() { return of(TypeRoot::kDouble); }
DataType DataType::string() { return of(TypeRoot::kString); }
DataType DataType::bytes() { return of(TypeRoot::kBytes); }
DataType DataType::date() { return of(TypeRoot::kDate); }
DataType DataType::character(int32_t length) { return with_length(TypeRoot::kChar, length); }
DataType DataType::binary(int32_t length) { return with_length(TypeRoot::kBinary, length); }
DataType DataType::decimal(int32_t precision, int32_t scale) {
  DataType type = with_precision(TypeRoot::kDecimal, precision);
  type.scale = scale;
  return type;
}
DataType DataType::time(int32_t precision) { return with_precision(TypeRoot::kTime, precision); }
DataType DataType::timestamp(int32_t precision) { return with_precision(TypeRoot::kTimestamp, precision); }
DataType DataType::timestamp_ltz(int32_t precision) {
  return with_precision(TypeRoot::kTimestampLtz, precision);
}
DataType DataType::array(DataType element) {
  DataType type = of(TypeRoot::kArray);
  type.children.push_back(std::move(element));
  return type;
}
DataType DataType::map(DataType key, DataType value) {
  DataType type = of(TypeRoot::kMap);
  type.children.push_back(std::move(key));
  type.children.push_back(std::move(value));
  return type;
}
DataType DataType::row(std::vector<DataField> fields) {
  DataType type = of(TypeRoot::kRow);
  type.fields = std::move(fields);
  return type;
}

DataType DataType::with_nullable(bool value) const {
  DataType copy = *this;
  copy.nullable = value;
  return copy;
}
DataType DataType::not_null() const { return with_nullable(false); }

std::string DataType::to_string() const {
  return fmt::format("{}{}{}", kRootNames[static_cast<size_t>(root)].printed, print_parameters(*this),
                     nullable ? "" : " NOT NULL");
}

bool operator==(const DataType& a, const DataType& b) {
  return a.root == b.root && a.nullable == b.nullable && a.length == b.length && a.precision == b.precision &&
         a.scale == b.scale && a.children == b.children && a.fields == b.fields;
}

Status validate(const DataType& type) {
  switch (type.root) {
    case TypeRoot::kChar:
    case TypeRoot::kBinary:
      return in_range(type, "length", type.length, 1, INT32_MAX);
    case TypeRoot::kDecimal:
      STROM_TRY(in_range(type, "precision", type.precision, 1, 38));
      return in_range(type, "scale", type.scale, 0, type.precision);
    case TypeRoot::kTime:
    case TypeRoot::kTimestamp:
    case TypeRoot::kTimestampLtz:
      return in_range(type, "precision", type.precision, 0, 9);
    case TypeRoot::kArray:
    case TypeRoot::kMap:
      for (const DataType& child : type.children) STROM_TRY(validate(child));
      return {};
    case TypeRoot::kRow:
      return validate_fields(type.fields);
    default:
      return {};
  }
}

}  // namespace strom::model
