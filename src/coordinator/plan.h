// plan(): the coordinator's decisions. Given what it knows and what happened, it says what to write, how its
// knowledge changes once that is written, whom to tell, and what to answer. Pure: no clock, no chance, no
// I/O; tested by transcripts. Upstream counterpart: coordinator/CoordinatorEventProcessor with its state
// machines, MetadataManager.
#pragma once

#include <variant>
#include <vector>

#include "base/result.h"
#include "coordinator/event.h"
#include "coordinator/ports.h"
#include "metastore/metastore.h"

namespace strom::coordinator {

// The server options that decisions depend on.
struct Settings {
  int32_t default_bucket_number = 1;
  int32_t default_replication_factor = 1;
  int32_t max_partition_num = 1000;
  int32_t max_bucket_num = 4096;
  bool allow_log_tables = true;
  bool allow_kv_tables = true;
  std::string remote_data_dir;  // written into new tables and partitions
  std::string
      lake_format;  // written into new tables that name none: it decides how keys are encoded; empty: none
};

struct NotifyLeaders {
  ServerId server;
  std::vector<BucketLeadership> buckets;
};
struct UpdateMetadata {
  std::vector<ServerId> servers;
  MetadataUpdate update;
};
struct StopReplicas {
  ServerId server;
  std::vector<ReplicaStop> replicas;
};
using Send = std::variant<NotifyLeaders, UpdateMetadata, StopReplicas>;

struct Plan {
  Status reply;                              // to the request; when it is an error, all else is empty
  std::vector<metastore::Operation> writes;  // one commit; the shell adds the fence of the coordinator epoch
  std::vector<Change> changes;               // once the writes are durable
  std::vector<Send> sends;                   // after the changes, in this order to each server
};

Plan plan(const State& state, const Settings& settings, const Input& input);

// One function per kind of event; plan() chooses.
Plan plan_create_database(const State& state, const CreateDatabase& event, Timestamp now);
Plan plan_alter_database(const State& state, const AlterDatabase& event, Timestamp now);
Plan plan_drop_database(const State& state, const DropDatabase& event);
Plan plan_create_table(const State& state, const Settings& settings, const CreateTable& event,
                       const Input& input);
Plan plan_alter_table(const State& state, const Settings& settings, const AlterTable& event, Timestamp now);
Plan plan_drop_table(const State& state, const DropTable& event);
Plan plan_create_partition(const State& state, const Settings& settings, const CreatePartition& event,
                           const Input& input);
Plan plan_drop_partition(const State& state, const DropPartition& event);
Plan plan_server_joined(const State& state, const ServerJoined& event);
Plan plan_server_left(const State& state, const ServerLeft& event);
Plan plan_replicas_stopped(const State& state, const ReplicasStopped& event);

// --- what several of them use
// The table as the metadata caches get it.
model::TableInfo table_info(const TableState& table);
// Adds to `plan` the sends that tell all servers of `buckets`' leaders: their replicas first, then all
// caches.
void tell_leaders(const State& state, std::vector<BucketLeadership> buckets, MetadataUpdate update,
                  Plan& plan);
// Adds to `plan` all that drops a table that is there.
void drop_table(const State& state, const TableState& table, Plan& plan);
// Adds to `plan` the removal of replicas, now where their server lives, else when it comes back.
void begin_deletion(const State& state, TableId table, std::optional<PartitionId> partition,
                    const Buckets& buckets, Plan& plan);
Buffer to_buffer(std::string_view text);

}  // namespace strom::coordinator
