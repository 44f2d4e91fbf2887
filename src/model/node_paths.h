// The tree of metadata nodes: every path, relative to the cluster's root. Pure, any thread.
// Written down in docs/formats/nodes.md, which also says what each node holds.
// Upstream counterpart: server/zk/data/ZkData.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "model/ids.h"
#include "model/table_bucket.h"
#include "model/table_path.h"

namespace strom::model::node_paths {

// --- metadata
inline constexpr std::string_view kDatabases = "/metadata/databases";
inline constexpr std::string_view kTableIdCounter = "/metadata/table_seqid";
inline constexpr std::string_view kPartitionIdCounter = "/metadata/partition_seqid";
inline constexpr std::string_view kWriterIdCounter = "/metadata/writer_id";
std::string database(std::string_view database);
std::string tables(std::string_view database);
std::string table(const TablePath& path);
std::string schemas(const TablePath& path);
std::string schema(const TablePath& path, SchemaId id);
std::string partitions(const TablePath& path);
std::string partition(const TablePath& path, std::string_view partition_name);
std::string auto_increment_counters(const TablePath& path);
std::string auto_increment_counter(const TablePath& path, int32_t column_id);

// --- servers
inline constexpr std::string_view kCoordinatorIds = "/coordinators/ids";
inline constexpr std::string_view kCoordinatorElection = "/coordinators/election";
inline constexpr std::string_view kActiveCoordinator = "/coordinators/active";
inline constexpr std::string_view kCoordinatorEpoch = "/coordinators/epoch";
inline constexpr std::string_view kTabletServerIds = "/tabletservers/ids";
inline constexpr std::string_view kTabletServerIdCounter = "/tabletservers/seqid";
inline constexpr std::string_view kServerTags = "/tabletservers/server_tags";
std::string coordinator_id(std::string_view server_id);
std::string tablet_server(ServerId id);

// --- state of buckets
inline constexpr std::string_view kTableAssignments = "/tabletservers/tables";
inline constexpr std::string_view kPartitionAssignments = "/tabletservers/partitions";
std::string table_assignment(TableId id);
std::string partition_assignment(PartitionId id);
std::string lake_table(TableId id);
std::string buckets(const TableBucket& bucket);  // the parent of all buckets of its table or partition
std::string bucket(const TableBucket& bucket);
std::string leader_and_isr(const TableBucket& bucket);
std::string snapshots(const TableBucket& bucket);
std::string snapshot(const TableBucket& bucket, int64_t snapshot_id);
std::string snapshot_id_counter(const TableBucket& bucket);
std::string remote_logs(const TableBucket& bucket);

// --- the whole cluster
inline constexpr std::string_view kDynamicConfig = "/config/server/global";
inline constexpr std::string_view kConfigChanges = "/config/changes";
inline constexpr std::string_view kConfigChangePrefix = "/config/changes/config_change_";  // sequential
inline constexpr std::string_view kAcls = "/fluss-acls";
inline constexpr std::string_view kAclChanges = "/fluss-acl-changes";
inline constexpr std::string_view kAclChangePrefix = "/fluss-acl-changes/acl_changes_";  // sequential
inline constexpr std::string_view kRebalance = "/cluster/rebalance";
inline constexpr std::string_view kProducers = "/producers";
inline constexpr std::string_view kKvSnapshotLeases = "/leases/kv_snapshot";
std::string acl(std::string_view resource_type, std::string_view resource_name);
std::string producer(std::string_view producer_id);
std::string kv_snapshot_lease(std::string_view lease_id);

// --- back from paths that watchers see; nothing when the path is of another kind or a name is invalid
std::optional<std::string> parse_database(std::string_view path);
std::optional<TablePath> parse_table(std::string_view path);
struct SchemaNode {
  TablePath path;
  SchemaId id;
  friend bool operator==(const SchemaNode&, const SchemaNode&) = default;
};
std::optional<SchemaNode> parse_schema(std::string_view path);
std::optional<PhysicalTablePath> parse_partition(std::string_view path);  // with a partition name
std::optional<ServerId> parse_tablet_server(std::string_view path);

}  // namespace strom::model::node_paths
