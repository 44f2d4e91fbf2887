#include "model/schema.h"

#include <algorithm>
#include <unordered_set>

#include "model/names.h"

namespace strom::model {
namespace {

constexpr ErrorCode kCode = ErrorCode::kInvalidTable;

// Calls visit(id) for each nested field, a field before its own nested fields.
template <class Type, class Visit>
void for_each_nested_id(Type& type, const Visit& visit) {
  for (auto& child : type.children) for_each_nested_id(child, visit);
  for (auto& field : type.fields) {
    visit(field.id);
    for_each_nested_id(field.type, visit);
  }
}

// Columns that were written before ids existed: the position is the id, nested fields come after all columns.
void assign_missing_ids(std::vector<Column>& columns) {
  int32_t next = 0;
  for (Column& column : columns) column.id = next++;
  for (Column& column : columns) {
    for_each_nested_id(column.type, [&](int32_t& id) {
      if (id == kNoFieldId) id = next++;
    });
  }
}

Status complete_ids(Schema::Parts& parts) {
  auto has_id = [](const Column& column) { return column.id != kNoFieldId; };
  if (std::ranges::none_of(parts.columns, has_id)) {
    assign_missing_ids(parts.columns);
  } else if (!std::ranges::all_of(parts.columns, has_id)) {
    return make_error(kCode, "all columns must have an id, or none of them");
  }

  std::unordered_set<int32_t> seen;
  int32_t highest = kNoFieldId;
  std::optional<int32_t> twice;
  auto visit = [&](int32_t id) {
    if (!seen.insert(id).second) twice = id;
    highest = std::max(highest, id);
  };
  for (const Column& column : parts.columns) {
    visit(column.id);
    for_each_nested_id(column.type, visit);
  }
  if (twice) {
    return make_error(kCode, "ids of columns and nested fields must be unique, but {} comes twice", *twice);
  }
  if (!parts.columns.empty() && parts.highest_field_id.value_or(highest) < highest) {
    return make_error(kCode, "the highest field id is given as {}, but id {} is in use",
                      *parts.highest_field_id, highest);
  }
  if (!parts.highest_field_id) parts.highest_field_id = highest;
  return {};
}

Result<const Column*> find_column(const std::vector<Column>& columns, std::string_view name,
                                  std::string_view role) {
  auto at = std::ranges::find(columns, name, &Column::name);
  if (at == columns.end()) return make_error(kCode, "{} '{}' is no column of the table", role, name);
  return &*at;
}

Status check_names(const std::vector<Column>& columns) {
  std::unordered_set<std::string_view> names;
  for (const Column& column : columns) {
    if (column.name.find_first_not_of(" \t\r\n") == std::string::npos) {
      return make_error(kCode, "a column has no name");
    }
    if (!names.insert(column.name).second) {
      return make_error(kCode, "column '{}' comes twice", column.name);
    }
  }
  return {};
}

Status check_auto_increment(const Schema::Parts& parts) {
  if (parts.auto_increment_columns.empty()) return {};
  if (parts.primary_key.empty()) {
    return make_error(kCode, "auto-increment columns are for primary-key tables only");
  }
  if (parts.auto_increment_columns.size() > 1) {
    return make_error(kCode, "a table can have one auto-increment column, found {}",
                      parts.auto_increment_columns.size());
  }
  const std::string& name = parts.auto_increment_columns[0];
  const Column* column = STROM_TRY(find_column(parts.columns, name, "auto-increment column"));
  if (contains(parts.primary_key, name)) {
    return make_error(kCode, "auto-increment column '{}' can't be part of the primary key", name);
  }
  if (column->type.root != TypeRoot::kInteger && column->type.root != TypeRoot::kBigInt) {
    return make_error(kCode, "auto-increment column '{}' must be INT or BIGINT, found {}", name,
                      column->type);
  }
  return {};
}

Status complete_primary_key(Schema::Parts& parts) {
  std::unordered_set<std::string_view> names;
  for (const std::string& name : parts.primary_key) {
    if (!names.insert(name).second) {
      return make_error(kCode, "column '{}' comes twice in the primary key", name);
    }
    STROM_TRY(find_column(parts.columns, name, "primary key column"));
  }
  for (Column& column : parts.columns) {
    if (!names.contains(column.name)) continue;
    if (column.agg_function) {
      return make_error(kCode, "primary key column '{}' can't have an aggregation function", column.name);
    }
    column.type.nullable = false;
  }
  return {};
}

}  // namespace

Result<Schema> Schema::make(Parts parts) {
  for (const Column& column : parts.columns) STROM_TRY(validate(column.type));
  STROM_TRY(complete_ids(parts));
  STROM_TRY(check_names(parts.columns));
  STROM_TRY(check_auto_increment(parts));
  STROM_TRY(complete_primary_key(parts));
  Schema schema;
  schema.parts_ = std::move(parts);
  return schema;
}

std::optional<size_t> Schema::index_of(std::string_view column) const {
  auto at = std::ranges::find(parts_.columns, column, &Column::name);
  if (at == parts_.columns.end()) return std::nullopt;
  return static_cast<size_t>(at - parts_.columns.begin());
}

const Column* Schema::find(std::string_view column) const {
  auto index = index_of(column);
  return index ? &parts_.columns[*index] : nullptr;
}

DataType Schema::row_type() const {
  std::vector<DataField> fields;
  fields.reserve(parts_.columns.size());
  for (const Column& column : parts_.columns) {
    fields.push_back(
        {.name = column.name, .type = column.type, .description = std::nullopt, .id = column.id});
  }
  return DataType::row(std::move(fields)).not_null();
}

bool operator==(const Schema& a, const Schema& b) {
  return a.columns() == b.columns() && a.primary_key() == b.primary_key() &&
         a.auto_increment_columns() == b.auto_increment_columns() &&
         a.highest_field_id() == b.highest_field_id();
}

SchemaBuilder::SchemaBuilder(const Schema& base) : highest_field_id_(base.highest_field_id()) {
  parts_ = {.columns = base.columns(),
            .primary_key = base.primary_key(),
            .auto_increment_columns = base.auto_increment_columns()};
}

SchemaBuilder& SchemaBuilder::column(std::string name, DataType type, std::optional<std::string> comment,
                                     std::optional<AggFunction> agg_function) {
  int32_t id = ++highest_field_id_;
  for_each_nested_id(type, [&](int32_t& nested) { nested = ++highest_field_id_; });
  parts_.columns.push_back({.name = std::move(name),
                            .type = std::move(type),
                            .comment = std::move(comment),
                            .agg_function = std::move(agg_function),
                            .id = id});
  return *this;
}

SchemaBuilder& SchemaBuilder::primary_key(std::vector<std::string> columns) {
  parts_.primary_key = std::move(columns);
  return *this;
}

SchemaBuilder& SchemaBuilder::auto_increment(std::string column) {
  parts_.auto_increment_columns.push_back(std::move(column));
  return *this;
}

Result<Schema> SchemaBuilder::build() const {
  Schema::Parts parts = parts_;
  parts.highest_field_id = highest_field_id_;
  return Schema::make(std::move(parts));
}

}  // namespace strom::model
