// TablePath and PhysicalTablePath: the names of a table and of one of its partitions, and the rules that
// names obey. Names are directory names on disk and node names in the metadata store, which is why the rules
// are strict. Values only, any thread. Upstream counterparts: metadata/TablePath, metadata/PhysicalTablePath.
#pragma once

#include <compare>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "base/result.h"

namespace strom::model {

struct TablePath {
  std::string database;
  std::string table;

  friend auto operator<=>(const TablePath&, const TablePath&) = default;

  // "db.table". Names hold no dot, so the text is unambiguous; the names themselves are checked too.
  static Result<TablePath> parse(std::string_view text);
  // kInvalidDatabase or kInvalidTable, with the rule that is broken.
  Status validate() const;
  std::string to_string() const { return database + "." + table; }
};

// A table without partitions, or one partition of a partitioned table.
struct PhysicalTablePath {
  TablePath path;
  std::optional<std::string> partition;  // partition name, e.g. "2024$us"

  friend auto operator<=>(const PhysicalTablePath&, const PhysicalTablePath&) = default;

  std::string to_string() const;  // "db.table" or "db.table(p=2024$us)"
};

inline constexpr size_t kMaxNameLength = 200;
inline constexpr std::string_view kReservedNamePrefix = "__";

// What is wrong with a name (of a database, table or partition value), or nothing: [A-Za-z0-9_-]{1,200}.
std::optional<std::string> invalid_name_reason(std::string_view name);
// The same, plus the prefix `__`, which is kept for the servers' own objects: the rule for what users create.
std::optional<std::string> invalid_new_name_reason(std::string_view name);

Status validate_database_name(std::string_view name);  // kInvalidDatabase
Status validate_table_name(std::string_view name);     // kInvalidTable

}  // namespace strom::model

template <>
struct std::hash<strom::model::TablePath> {
  size_t operator()(const strom::model::TablePath& path) const noexcept {
    return std::hash<std::string>{}(path.database) * 31 + std::hash<std::string>{}(path.table);
  }
};

template <>
struct fmt::formatter<strom::model::TablePath> : fmt::formatter<std::string_view> {
  auto format(const strom::model::TablePath& path, fmt::format_context& ctx) const {
    return fmt::format_to(ctx.out(), "{}.{}", path.database, path.table);
  }
};
template <>
struct fmt::formatter<strom::model::PhysicalTablePath> : fmt::formatter<std::string_view> {
  auto format(const strom::model::PhysicalTablePath& path, fmt::format_context& ctx) const {
    return fmt::formatter<std::string_view>::format(path.to_string(), ctx);
  }
};
