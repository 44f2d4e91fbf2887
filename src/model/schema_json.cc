#include "model/schema_json.h"

#include <nlohmann/json.hpp>

namespace strom::model {
namespace {

constexpr ErrorCode kCode = ErrorCode::kInvalidTable;
constexpr int kVersion = 1;

Result<DataType> type_of_root(TypeRoot root, const JsonObject& object) {
  switch (root) {
    case TypeRoot::kChar:
      return DataType::character(STROM_TRY(object.int32("length")));
    case TypeRoot::kBinary:
      return DataType::binary(STROM_TRY(object.int32("length")));
    case TypeRoot::kDecimal: {
      int32_t precision = STROM_TRY(object.int32("precision"));
      return DataType::decimal(precision, STROM_TRY(object.int32("scale")));
    }
    case TypeRoot::kTime:
      return DataType::time(STROM_TRY(object.int32("precision")));
    case TypeRoot::kTimestamp:
      return DataType::timestamp(STROM_TRY(object.int32("precision")));
    case TypeRoot::kTimestampLtz:
      return DataType::timestamp_ltz(STROM_TRY(object.int32("precision")));
    case TypeRoot::kArray:
      return DataType::array(STROM_TRY(data_type_from(*STROM_TRY(object.get("element_type")))));
    case TypeRoot::kMap: {
      DataType key = STROM_TRY(data_type_from(*STROM_TRY(object.get("key_type"))));
      return DataType::map(std::move(key), STROM_TRY(data_type_from(*STROM_TRY(object.get("value_type")))));
    }
    default:
      return DataType::of(root);
  }
}

Result<std::vector<DataField>> fields_from(const Json& json) {
  if (!json.is_array()) return make_error(kCode, "type ROW: expected 'fields' to be an array");
  std::vector<DataField> fields;
  for (const Json& item : json) {
    JsonObject object(item, kCode, "field of a ROW");
    DataField field;
    field.name = STROM_TRY(object.text("name"));
    field.type = STROM_TRY(data_type_from(*STROM_TRY(object.get("field_type"))));
    field.description = STROM_TRY(object.optional_text("description"));
    field.id = STROM_TRY(object.optional_int32("field_id")).value_or(kNoFieldId);
    fields.push_back(std::move(field));
  }
  return fields;
}

Json json_of(const DataField& field) {
  Json json = {{"name", field.name}, {"field_type", json_of(field.type)}};
  if (field.description) json["description"] = *field.description;
  json["field_id"] = field.id;
  return json;
}

Json json_of(const Column& column) {
  Json json = {{"name", column.name}, {"data_type", json_of(column.type)}};
  if (column.comment) json["comment"] = *column.comment;
  if (column.agg_function) {
    Json function = {{"type", column.agg_function->type}};
    if (!column.agg_function->parameters.empty()) {
      function["parameters"] = json_of(column.agg_function->parameters);
    }
    json["agg_function"] = std::move(function);
  }
  json["id"] = column.id;
  return json;
}

Result<Column> column_from(const Json& json) {
  JsonObject object(json, kCode, "column");
  Column column;
  column.name = STROM_TRY(object.text("name"));
  column.type = STROM_TRY(data_type_from(*STROM_TRY(object.get("data_type"))));
  column.comment = STROM_TRY(object.optional_text("comment"));
  column.id = STROM_TRY(object.optional_int32("id")).value_or(kNoFieldId);
  if (const Json* function = object.find("agg_function")) {
    JsonObject parts(*function, kCode, "agg_function");
    AggFunction aggregation{STROM_TRY(parts.text("type")), {}};
    if (parts.find("parameters") != nullptr)
      aggregation.parameters = STROM_TRY(parts.properties("parameters"));
    column.agg_function = std::move(aggregation);
  }
  return column;
}

}  // namespace

Json json_of(const DataType& type) {
  Json json = {{"type", type_root_name(type.root)}};
  if (!type.nullable) json["nullable"] = false;
  switch (type.root) {
    case TypeRoot::kChar:
    case TypeRoot::kBinary:
      json["length"] = type.length;
      break;
    case TypeRoot::kDecimal:
      json["precision"] = type.precision;
      json["scale"] = type.scale;
      break;
    case TypeRoot::kTime:
    case TypeRoot::kTimestamp:
    case TypeRoot::kTimestampLtz:
      json["precision"] = type.precision;
      break;
    case TypeRoot::kArray:
      json["element_type"] = json_of(type.element());
      break;
    case TypeRoot::kMap:
      json["key_type"] = json_of(type.key());
      json["value_type"] = json_of(type.value());
      break;
    case TypeRoot::kRow: {
      Json fields = Json::array();
      for (const DataField& field : type.fields) fields.push_back(json_of(field));
      json["fields"] = std::move(fields);
      break;
    }
    default:
      break;
  }
  return json;
}

Result<DataType> data_type_from(const Json& json) {
  JsonObject object(json, kCode, "data type");
  std::string name = STROM_TRY(object.text("type"));
  std::optional<TypeRoot> root = find_type_root(name);
  if (!root) return make_error(kCode, "data type: '{}' is no known type", name);
  DataType type = STROM_TRY(type_of_root(*root, object));
  if (*root == TypeRoot::kRow) type.fields = STROM_TRY(fields_from(*STROM_TRY(object.get("fields"))));
  type.nullable = STROM_TRY(object.boolean_or("nullable", true));
  STROM_TRY(validate(type));
  return type;
}

std::string DataType::to_json() const { return dump_json(json_of(*this)); }

Result<DataType> DataType::parse_json(std::string_view json) {
  return data_type_from(STROM_TRY(parse_json_object(json, kCode)));
}

Json json_of(const Schema& schema) {
  Json columns = Json::array();
  for (const Column& column : schema.columns()) columns.push_back(json_of(column));
  Json json = {{"version", kVersion}, {"columns", std::move(columns)}};
  if (schema.has_primary_key()) json["primary_key"] = json_of(schema.primary_key());
  if (!schema.auto_increment_columns().empty()) {
    json["auto_increment_column"] = json_of(schema.auto_increment_columns());
  }
  json["highest_field_id"] = schema.highest_field_id();
  return json;
}

Result<Schema> schema_from(const Json& json) {
  JsonObject object(json, kCode, "schema");
  const Json& columns = *STROM_TRY(object.get("columns"));
  if (!columns.is_array()) return make_error(kCode, "schema: expected 'columns' to be an array");
  Schema::Parts parts;
  for (const Json& column : columns) parts.columns.push_back(STROM_TRY(column_from(column)));
  if (object.find("primary_key") != nullptr) {
    parts.primary_key = STROM_TRY(object.texts("primary_key"));
    if (parts.primary_key.empty()) return make_error(kCode, "schema: the primary key has no column");
  }
  parts.auto_increment_columns = STROM_TRY(object.texts_or_none("auto_increment_column"));
  parts.highest_field_id = STROM_TRY(object.optional_int32("highest_field_id"));
  return Schema::make(std::move(parts));
}

std::string Schema::to_json() const { return dump_json(json_of(*this)); }

Result<Schema> Schema::parse_json(std::string_view json) {
  return schema_from(STROM_TRY(parse_json_object(json, kCode)));
}

}  // namespace strom::model
