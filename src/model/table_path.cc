#include "model/table_path.h"

#include <algorithm>

namespace strom::model {
namespace {

bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

Status validate(ErrorCode code, std::string_view what, std::string_view name) {
  auto reason = invalid_new_name_reason(name);
  if (!reason) return {};
  return make_error(code, "{} name {} is invalid: {}", what, name, *reason);
}

}  // namespace

std::optional<std::string> invalid_name_reason(std::string_view name) {
  if (name.empty()) return "it is empty";
  if (name.size() > kMaxNameLength) {
    return fmt::format("it has {} characters, the limit is {}", name.size(), kMaxNameLength);
  }
  if (!std::ranges::all_of(name, is_name_character)) {
    return fmt::format("'{}' may hold only ASCII letters and digits, '_' and '-'", name);
  }
  return std::nullopt;
}

std::optional<std::string> invalid_new_name_reason(std::string_view name) {
  auto reason = invalid_name_reason(name);
  if (!reason && name.starts_with(kReservedNamePrefix)) {
    return fmt::format("the prefix '{}' is reserved for internal databases, tables and partitions",
                       kReservedNamePrefix);
  }
  return reason;
}

Status validate_database_name(std::string_view name) {
  return validate(ErrorCode::kInvalidDatabase, "Database", name);
}

Status validate_table_name(std::string_view name) {
  return validate(ErrorCode::kInvalidTable, "Table", name);
}

Result<TablePath> TablePath::parse(std::string_view text) {
  size_t dot = text.find('.');
  if (dot == std::string_view::npos) {
    return make_error(ErrorCode::kInvalidTable, "expected database.table, found '{}'", text);
  }
  TablePath path{std::string(text.substr(0, dot)), std::string(text.substr(dot + 1))};
  STROM_TRY(path.validate());
  return path;
}

Status TablePath::validate() const {
  STROM_TRY(validate_database_name(database));
  return validate_table_name(table);
}

std::string PhysicalTablePath::to_string() const {
  return partition ? fmt::format("{}(p={})", path.to_string(), *partition) : path.to_string();
}

}  // namespace strom::model
