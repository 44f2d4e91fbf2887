#include "coordinator/load.h"

#include <algorithm>
#include <charconv>

#include "model/node_paths.h"

namespace strom::coordinator {

using async::Task;
using metastore::Metastore;
namespace node_paths = model::node_paths;

namespace {

Task<Result<std::string>> read(Metastore& store, std::string path) {
  auto node = STROM_CO_TRY(co_await store.get(path));
  co_return node ? to_string(ByteView(node->data)) : std::string();
}

Task<Result<int64_t>> read_counter(Metastore& store, std::string path) {
  auto text = STROM_CO_TRY(co_await read(store, path));
  if (text.empty()) co_return int64_t{0};
  co_return model::decode_counter(as_bytes(text));
}

// Names of children that are numbers.
Task<Result<std::vector<int64_t>>> numbered_children(Metastore& store, std::string path) {
  auto names = STROM_CO_TRY(co_await store.children(path));
  std::vector<int64_t> numbers;
  for (const std::string& name : names) {
    int64_t number = 0;
    auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
    if (error == std::errc() && end == name.data() + name.size()) numbers.push_back(number);
  }
  co_return numbers;
}

Task<Result<Buckets>> read_buckets(Metastore& store, TableId table, std::optional<PartitionId> partition,
                                   model::BucketAssignments assignment) {
  Buckets buckets;
  for (const auto& [id, replicas] : assignment) {
    BucketState bucket{replicas, {}};
    auto text = STROM_CO_TRY(co_await read(store, node_paths::leader_and_isr({table, partition, id})));
    if (!text.empty()) {
      bucket.leadership = STROM_CO_TRY(model::LeaderAndIsr::parse_json(text));
    } else {
      bucket.leadership.isr = replicas;  // never led: whoever is there first may
    }
    buckets[id] = std::move(bucket);
  }
  co_return buckets;
}

Task<Status> load_partitions(Metastore& store, TableState& table) {
  auto names = STROM_CO_TRY(co_await store.children(node_paths::partitions(table.path)));
  for (const std::string& name : names) {
    auto text = STROM_CO_TRY(co_await read(store, node_paths::partition(table.path, name)));
    PartitionState partition{name, STROM_CO_TRY(model::PartitionRegistration::parse_json(text)), {}};
    const PartitionId id = partition.registration.partition_id;
    auto assigned = STROM_CO_TRY(co_await read(store, node_paths::partition_assignment(id)));
    if (!assigned.empty()) {
      auto assignment = STROM_CO_TRY(model::PartitionAssignment::parse_json(assigned));
      partition.buckets =
          STROM_CO_TRY(co_await read_buckets(store, table.id(), id, std::move(assignment.buckets)));
    }
    table.partitions[name] = std::move(partition);
  }
  co_return Status();
}

Task<Status> load_table(Metastore& store, State& state, TablePath path) {
  auto text = STROM_CO_TRY(co_await read(store, node_paths::table(path)));
  if (text.empty()) co_return Status();  // a create that did not finish
  TableState table{path, STROM_CO_TRY(model::TableRegistration::parse_json(text)), {}, {}, {}, {}};
  auto schemas = STROM_CO_TRY(co_await numbered_children(store, node_paths::schemas(path)));
  if (schemas.empty())
    co_return make_error(ErrorCode::kUnknownServerError, "table {} has no schema node", path);
  table.schema_id = model::SchemaId(static_cast<int32_t>(*std::ranges::max_element(schemas)));
  auto schema = STROM_CO_TRY(co_await read(store, node_paths::schema(path, table.schema_id)));
  table.schema = STROM_CO_TRY(model::Schema::parse_json(schema));
  // What is decided later relies on properties that can be read.
  auto readable = model::make_table_info(path, table.registration, {table.schema_id, table.schema});
  if (!readable.ok()) {
    co_return make_error(ErrorCode::kUnknownServerError, "the metadata of table {} can't be read: {}", path,
                         readable.error().message);
  }
  if (table.is_partitioned()) {
    STROM_CO_TRY(co_await load_partitions(store, table));
  } else {
    auto assigned = STROM_CO_TRY(co_await read(store, node_paths::table_assignment(table.id())));
    if (!assigned.empty()) {
      auto assignment = STROM_CO_TRY(model::TableAssignment::parse_json(assigned));
      table.buckets =
          STROM_CO_TRY(co_await read_buckets(store, table.id(), std::nullopt, std::move(assignment.buckets)));
    }
  }
  apply(state, PutTable{std::move(table)});
  co_return Status();
}

Deletion deletion_of(TableId table, std::optional<PartitionId> partition,
                     const model::BucketAssignments& buckets) {
  Deletion deletion{table, partition, {}};
  for (const auto& [id, replicas] : buckets) {
    for (ServerId replica : replicas) deletion.remaining.insert({TableBucket{table, partition, id}, replica});
  }
  return deletion;
}

Task<Status> load_deletions(Metastore& store, State& state) {
  auto tables = STROM_CO_TRY(co_await numbered_children(store, std::string(node_paths::kTableAssignments)));
  for (int64_t number : tables) {
    const TableId id(number);
    if (state.find_table(id) != nullptr) continue;
    auto text = STROM_CO_TRY(co_await read(store, node_paths::table_assignment(id)));
    if (text.empty()) continue;
    auto assignment = STROM_CO_TRY(model::TableAssignment::parse_json(text));
    apply(state, PutDeletion{deletion_of(id, std::nullopt, assignment.buckets)});
  }
  std::set<PartitionId> known;
  for (const auto& [path, table] : state.tables) {
    for (const auto& [name, partition] : table.partitions) known.insert(partition.registration.partition_id);
  }
  auto partitions =
      STROM_CO_TRY(co_await numbered_children(store, std::string(node_paths::kPartitionAssignments)));
  for (int64_t number : partitions) {
    const PartitionId id(number);
    if (known.contains(id)) continue;
    auto text = STROM_CO_TRY(co_await read(store, node_paths::partition_assignment(id)));
    if (text.empty()) continue;
    auto assignment = STROM_CO_TRY(model::PartitionAssignment::parse_json(text));
    apply(state, PutDeletion{deletion_of(assignment.table_id, id, assignment.buckets)});
  }
  co_return Status();
}

}  // namespace

Task<Result<State>> load_state(Metastore& store) {
  State state;
  state.next_table_id = STROM_CO_TRY(co_await read_counter(store, std::string(node_paths::kTableIdCounter)));
  state.next_partition_id =
      STROM_CO_TRY(co_await read_counter(store, std::string(node_paths::kPartitionIdCounter)));
  auto databases = STROM_CO_TRY(co_await store.children(std::string(node_paths::kDatabases)));
  for (const std::string& name : databases) {
    auto text = STROM_CO_TRY(co_await read(store, node_paths::database(name)));
    state.databases[name] = STROM_CO_TRY(model::DatabaseRegistration::parse_json(text));
    auto tables = STROM_CO_TRY(co_await store.children(node_paths::tables(name)));
    for (const std::string& table : tables) STROM_CO_TRY(co_await load_table(store, state, {name, table}));
  }
  STROM_CO_TRY(co_await load_deletions(store, state));
  co_return state;
}

}  // namespace strom::coordinator
