// Event: what can happen to the coordinator: a client's request, a server that comes or goes, an answer from
// a server, a timer. Values; the time and the chance that a decision needs come with the event (Input), so
// that plan() has neither.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "coordinator/state.h"
#include "model/database_descriptor.h"
#include "model/partition.h"

namespace strom::coordinator {

struct CreateDatabase {
  std::string name;
  model::DatabaseDescriptor descriptor;
  bool ignore_if_exists = false;
};
struct AlterDatabase {
  std::string name;
  model::Properties set;
  std::vector<std::string> reset;
  std::optional<std::string> comment;  // empty: remove the comment
  bool ignore_if_missing = false;
};
struct DropDatabase {
  std::string name;
  bool ignore_if_missing = false;
  bool cascade = false;
};
struct CreateTable {
  TablePath path;
  model::TableDescriptor descriptor;
  bool ignore_if_exists = false;
};
// Properties and columns can't be changed in one request.
struct AlterTable {
  TablePath path;
  model::Properties set;  // keys with "table." are the table's, others custom
  std::vector<std::string> reset;
  std::vector<model::Column> add_columns;
  bool ignore_if_missing = false;
};
struct DropTable {
  TablePath path;
  bool ignore_if_missing = false;
};
struct CreatePartition {
  TablePath path;
  model::PartitionSpec spec;
  bool ignore_if_exists = false;
};
struct DropPartition {
  TablePath path;
  model::PartitionSpec spec;
  bool ignore_if_missing = false;
};
// A tablet server registered itself, perhaps again after a restart.
struct ServerJoined {
  ServerId id;
  model::TabletServerRegistration registration;
};
struct ServerLeft {
  ServerId id;
};
// A server's answer to StopReplicas: the replicas that are gone.
struct ReplicasStopped {
  ServerId server;
  std::vector<TableBucket> stopped;
};

using Event = std::variant<CreateDatabase, AlterDatabase, DropDatabase, CreateTable, AlterTable, DropTable,
                           CreatePartition, DropPartition, ServerJoined, ServerLeft, ReplicasStopped>;

struct Input {
  Event event;
  Timestamp now;
  uint64_t random = 0;  // for choices that may be any
};

std::string_view event_name(const Event& event);

}  // namespace strom::coordinator
