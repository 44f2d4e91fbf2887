#include "coordinator/state.h"

namespace strom::coordinator {

const TableState* State::find_table(const TablePath& path) const {
  auto found = tables.find(path);
  return found == tables.end() ? nullptr : &found->second;
}

const TableState* State::find_table(TableId id) const {
  auto found = paths.find(id);
  return found == paths.end() ? nullptr : find_table(found->second);
}

bool State::has_tables(const std::string& database) const {
  auto first = tables.lower_bound(TablePath{database, ""});
  return first != tables.end() && first->first.database == database;
}

namespace {

struct Apply {
  State& state;

  void operator()(const PutDatabase& change) const { state.databases[change.name] = change.registration; }
  void operator()(const EraseDatabase& change) const { state.databases.erase(change.name); }
  void operator()(const PutTable& change) const {
    state.paths[change.table.id()] = change.table.path;
    state.tables[change.table.path] = change.table;
  }
  void operator()(const EraseTable& change) const {
    auto found = state.tables.find(change.path);
    if (found == state.tables.end()) return;
    state.paths.erase(found->second.id());
    state.tables.erase(found);
  }
  void operator()(const PutPartition& change) const {
    state.tables.at(change.path).partitions[change.partition.name] = change.partition;
  }
  void operator()(const ErasePartition& change) const {
    state.tables.at(change.path).partitions.erase(change.name);
  }
  void operator()(const PutLeadership& change) const {
    TableState& table = state.tables.at(change.path);
    Buckets& buckets =
        change.partition_name.empty() ? table.buckets : table.partitions.at(change.partition_name).buckets;
    buckets.at(change.bucket).leadership = change.leadership;
  }
  void operator()(const PutServer& change) const { state.servers[change.id] = change.registration; }
  void operator()(const EraseServer& change) const { state.servers.erase(change.id); }
  void operator()(const PutDeletion& change) const {
    state.deletions[{change.deletion.table, change.deletion.partition}] = change.deletion;
  }
  void operator()(const EraseDeletion& change) const { state.deletions.erase(change.key); }
  void operator()(const SetNextIds& change) const {
    state.next_table_id = change.next_table_id;
    state.next_partition_id = change.next_partition_id;
  }
};

}  // namespace

void apply(State& state, const Change& change) { std::visit(Apply{state}, change); }

}  // namespace strom::coordinator
