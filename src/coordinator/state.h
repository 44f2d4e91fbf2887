// State: what the coordinator knows of the cluster, and Change: how it becomes another. A copy, in memory, of
// what the metadata store holds, plus who is alive. Plain values: only apply() changes a State, only plan()
// decides how. Lives on: the coordinator's loop. Upstream counterpart: coordinator/CoordinatorContext.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <variant>

#include "model/assignment.h"
#include "model/registration.h"
#include "model/server_registration.h"
#include "model/table_bucket.h"
#include "model/table_info.h"
#include "model/table_path.h"

namespace strom::coordinator {

using model::BucketEpoch;
using model::BucketId;
using model::CoordinatorEpoch;
using model::LeaderAndIsr;
using model::LeaderEpoch;
using model::PartitionId;
using model::PhysicalTablePath;
using model::ServerId;
using model::TableBucket;
using model::TableId;
using model::TablePath;
using model::Timestamp;

struct BucketState {
  std::vector<ServerId> replicas;  // preferred leader first
  LeaderAndIsr leadership;
  friend bool operator==(const BucketState&, const BucketState&) = default;
};
using Buckets = std::map<BucketId, BucketState>;

struct PartitionState {
  std::string name;
  model::PartitionRegistration registration;
  Buckets buckets;
  friend bool operator==(const PartitionState&, const PartitionState&) = default;
};

struct TableState {
  TablePath path;
  model::TableRegistration registration;
  model::SchemaId schema_id;
  model::Schema schema;  // the newest
  Buckets buckets;       // of a table without partitions
  std::map<std::string, PartitionState> partitions;

  TableId id() const { return registration.table_id; }
  bool is_partitioned() const { return registration.is_partitioned(); }
};

// A dropped table without partitions, or a dropped partition, whose replicas are not all gone yet.
struct Deletion {
  TableId table;
  std::optional<PartitionId> partition;
  std::set<std::pair<TableBucket, ServerId>> remaining;
  friend bool operator==(const Deletion&, const Deletion&) = default;
};
using DeletionKey = std::pair<TableId, std::optional<PartitionId>>;

struct State {
  CoordinatorEpoch epoch;
  int64_t next_table_id = 0;
  int64_t next_partition_id = 0;
  std::map<std::string, model::DatabaseRegistration> databases;
  std::map<TablePath, TableState> tables;
  std::map<TableId, TablePath> paths;
  std::map<ServerId, model::TabletServerRegistration> servers;  // alive
  std::map<DeletionKey, Deletion> deletions;

  const TableState* find_table(const TablePath& path) const;
  const TableState* find_table(TableId id) const;
  bool has_tables(const std::string& database) const;
};

struct PutDatabase {
  std::string name;
  model::DatabaseRegistration registration;
};
struct EraseDatabase {
  std::string name;
};
struct PutTable {
  TableState table;
};
struct EraseTable {
  TablePath path;
};
struct PutPartition {
  TablePath path;
  PartitionState partition;
};
struct ErasePartition {
  TablePath path;
  std::string name;
};
struct PutLeadership {
  TablePath path;
  std::string partition_name;  // empty for a table without partitions
  BucketId bucket;
  LeaderAndIsr leadership;
};
struct PutServer {
  ServerId id;
  model::TabletServerRegistration registration;
};
struct EraseServer {
  ServerId id;
};
struct PutDeletion {
  Deletion deletion;
};
struct EraseDeletion {
  DeletionKey key;
};
struct SetNextIds {
  int64_t next_table_id;
  int64_t next_partition_id;
};
using Change = std::variant<PutDatabase, EraseDatabase, PutTable, EraseTable, PutPartition, ErasePartition,
                            PutLeadership, PutServer, EraseServer, PutDeletion, EraseDeletion, SetNextIds>;

void apply(State& state, const Change& change);

}  // namespace strom::coordinator
