// Databases: create, alter, drop.
#include "coordinator/plan.h"
#include "model/node_paths.h"

namespace strom::coordinator {

using metastore::Operation;

namespace {

// Clients and connectors rely on this database; it can't be dropped.
constexpr std::string_view kDefaultDatabase = "fluss";

Error no_database(const std::string& name) {
  return make_error(ErrorCode::kDatabaseNotExist, "database {} does not exist", name);
}

}  // namespace

Plan plan_create_database(const State& state, const CreateDatabase& event, Timestamp now) {
  Plan plan;
  plan.reply = model::validate_database_name(event.name);
  if (!plan.reply.ok()) return plan;
  if (state.databases.contains(event.name)) {
    if (!event.ignore_if_exists) {
      plan.reply = make_error(ErrorCode::kDatabaseAlreadyExist, "database {} exists already", event.name);
    }
    return plan;
  }
  model::DatabaseRegistration registration{event.descriptor, now, now};
  plan.writes.push_back(
      Operation::create(model::node_paths::database(event.name), to_buffer(registration.to_json())));
  plan.changes.push_back(PutDatabase{event.name, std::move(registration)});
  return plan;
}

Plan plan_alter_database(const State& state, const AlterDatabase& event, Timestamp now) {
  Plan plan;
  auto found = state.databases.find(event.name);
  if (found == state.databases.end()) {
    if (!event.ignore_if_missing) plan.reply = no_database(event.name);
    return plan;
  }
  model::DatabaseRegistration altered = found->second;
  model::Properties& properties = altered.descriptor.custom_properties;
  for (const auto& [key, value] : event.set) properties.set(key, value);
  for (const std::string& key : event.reset) properties.erase(key);
  if (event.comment) altered.descriptor.comment = *event.comment;
  if (event.comment && event.comment->empty()) altered.descriptor.comment = std::nullopt;
  if (properties == found->second.descriptor.custom_properties && !event.comment) return plan;
  altered.modified = now;
  plan.writes.push_back(
      Operation::set(model::node_paths::database(event.name), to_buffer(altered.to_json())));
  plan.changes.push_back(PutDatabase{event.name, std::move(altered)});
  return plan;
}

Plan plan_drop_database(const State& state, const DropDatabase& event) {
  Plan plan;
  if (event.name == kDefaultDatabase) {
    plan.reply = make_error(ErrorCode::kUnknownServerError,
                            "the default database {} can't be dropped: clients expect it", event.name);
    return plan;
  }
  if (!state.databases.contains(event.name)) {
    if (!event.ignore_if_missing) plan.reply = no_database(event.name);
    return plan;
  }
  if (state.has_tables(event.name) && !event.cascade) {
    plan.reply =
        make_error(ErrorCode::kDatabaseNotEmpty,
                   "database {} still has tables; drop them first, or drop with cascade", event.name);
    return plan;
  }
  for (auto it = state.tables.lower_bound(TablePath{event.name, ""});
       it != state.tables.end() && it->first.database == event.name; ++it) {
    drop_table(state, it->second, plan);
  }
  plan.writes.push_back(Operation::remove_tree(model::node_paths::database(event.name)));
  plan.changes.push_back(EraseDatabase{event.name});
  return plan;
}

}  // namespace strom::coordinator
