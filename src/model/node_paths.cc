#include "model/node_paths.h"

#include <charconv>
#include <vector>

#include <fmt/format.h>

namespace strom::model::node_paths {
namespace {

template <class Number>
std::optional<Number> number(std::string_view text) {
  Number value{};
  auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc{} || end != text.data() + text.size() || value < 0) return std::nullopt;
  return value;
}

// The parts of a path below `prefix`, or none when it is not below it.
std::vector<std::string_view> parts_below(std::string_view path, std::string_view prefix) {
  std::vector<std::string_view> parts;
  if (!path.starts_with(prefix)) return parts;
  path.remove_prefix(prefix.size());
  while (path.starts_with('/')) {
    path.remove_prefix(1);
    size_t end = std::min(path.find('/'), path.size());
    parts.push_back(path.substr(0, end));
    path.remove_prefix(end);
  }
  if (!path.empty()) parts.clear();
  return parts;
}

bool is_name(std::string_view name) { return !invalid_name_reason(name); }

// parts: database "tables" table …
std::optional<TablePath> table_of(const std::vector<std::string_view>& parts) {
  if (parts.size() < 3 || parts[1] != "tables" || !is_name(parts[0]) || !is_name(parts[2]))
    return std::nullopt;
  return TablePath{std::string(parts[0]), std::string(parts[2])};
}

}  // namespace

std::string database(std::string_view database) { return fmt::format("{}/{}", kDatabases, database); }
std::string tables(std::string_view database) { return fmt::format("{}/{}/tables", kDatabases, database); }
std::string table(const TablePath& path) { return fmt::format("{}/{}", tables(path.database), path.table); }
std::string schemas(const TablePath& path) { return table(path) + "/schemas"; }
std::string schema(const TablePath& path, SchemaId id) { return fmt::format("{}/{}", schemas(path), id); }
std::string partitions(const TablePath& path) { return table(path) + "/partitions"; }
std::string partition(const TablePath& path, std::string_view partition_name) {
  return fmt::format("{}/{}", partitions(path), partition_name);
}
std::string auto_increment_counters(const TablePath& path) { return table(path) + "/auto_inc"; }
std::string auto_increment_counter(const TablePath& path, int32_t column_id) {
  return fmt::format("{}/col_{}", auto_increment_counters(path), column_id);
}

std::string coordinator_id(std::string_view server_id) {
  return fmt::format("{}/{}", kCoordinatorIds, server_id);
}
std::string tablet_server(ServerId id) { return fmt::format("{}/{}", kTabletServerIds, id); }

std::string table_assignment(TableId id) { return fmt::format("{}/{}", kTableAssignments, id); }
std::string partition_assignment(PartitionId id) { return fmt::format("{}/{}", kPartitionAssignments, id); }
std::string lake_table(TableId id) { return table_assignment(id) + "/laketable"; }
std::string buckets(const TableBucket& bucket) {
  return (bucket.partition ? partition_assignment(*bucket.partition) : table_assignment(bucket.table)) +
         "/buckets";
}
std::string bucket(const TableBucket& bucket) { return fmt::format("{}/{}", buckets(bucket), bucket.bucket); }
std::string leader_and_isr(const TableBucket& b) { return bucket(b) + "/leader_isr"; }
std::string snapshots(const TableBucket& b) { return bucket(b) + "/snapshots"; }
std::string snapshot(const TableBucket& b, int64_t snapshot_id) {
  return fmt::format("{}/{}", snapshots(b), snapshot_id);
}
std::string snapshot_id_counter(const TableBucket& b) { return bucket(b) + "/snapshot_seqid"; }
std::string remote_logs(const TableBucket& b) { return bucket(b) + "/remote_logs"; }

std::string acl(std::string_view resource_type, std::string_view resource_name) {
  return fmt::format("{}/{}/{}", kAcls, resource_type, resource_name);
}
std::string producer(std::string_view producer_id) { return fmt::format("{}/{}", kProducers, producer_id); }
std::string kv_snapshot_lease(std::string_view lease_id) {
  return fmt::format("{}/{}", kKvSnapshotLeases, lease_id);
}

std::optional<std::string> parse_database(std::string_view path) {
  auto parts = parts_below(path, kDatabases);
  if (parts.size() != 1 || !is_name(parts[0])) return std::nullopt;
  return std::string(parts[0]);
}

std::optional<TablePath> parse_table(std::string_view path) {
  auto parts = parts_below(path, kDatabases);
  return parts.size() == 3 ? table_of(parts) : std::nullopt;
}

std::optional<SchemaNode> parse_schema(std::string_view path) {
  auto parts = parts_below(path, kDatabases);
  if (parts.size() != 5 || parts[3] != "schemas") return std::nullopt;
  auto table = table_of(parts);
  auto id = number<int32_t>(parts[4]);
  if (!table || !id) return std::nullopt;
  return SchemaNode{*std::move(table), SchemaId(*id)};
}

std::optional<PhysicalTablePath> parse_partition(std::string_view path) {
  auto parts = parts_below(path, kDatabases);
  if (parts.size() != 5 || parts[3] != "partitions" || parts[4].empty()) return std::nullopt;
  auto table = table_of(parts);
  if (!table) return std::nullopt;
  return PhysicalTablePath{*std::move(table), std::string(parts[4])};
}

std::optional<ServerId> parse_tablet_server(std::string_view path) {
  auto parts = parts_below(path, kTabletServerIds);
  if (parts.size() != 1) return std::nullopt;
  auto id = number<int32_t>(parts[0]);
  return id ? std::optional(ServerId(*id)) : std::nullopt;
}

}  // namespace strom::model::node_paths
