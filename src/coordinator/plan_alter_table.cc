// Altering a table: properties, or columns added at the end.
#include "coordinator/plan.h"
#include "coordinator/validation.h"
#include "model/node_paths.h"

namespace strom::coordinator {

using metastore::Operation;

namespace {

void tell_table(const State& state, const TableState& table, Plan& plan) {
  UpdateMetadata news;
  for (const auto& [server, registration] : state.servers) news.servers.push_back(server);
  news.update.tables.push_back(table_info(table));
  if (!news.servers.empty()) plan.sends.push_back(std::move(news));
}

Result<Plan> alter_columns(const State& state, const TableState& table, const AlterTable& event) {
  TableState altered = table;
  altered.schema = STROM_TRY(add_columns(table.schema, event.add_columns));
  Plan plan;
  if (altered.schema == table.schema) return plan;
  altered.schema_id = table.schema_id.next();
  plan.writes.push_back(Operation::create(model::node_paths::schema(table.path, altered.schema_id),
                                          to_buffer(altered.schema.to_json())));
  tell_table(state, altered, plan);
  plan.changes.push_back(PutTable{std::move(altered)});
  return plan;
}

Result<Plan> alter_properties(const State& state, const Settings& settings, const TableState& table,
                              const AlterTable& event, Timestamp now) {
  const model::TableInfo current = table_info(table);
  TableState altered = table;
  std::vector<std::string> table_keys;
  auto target = [&](const std::string& key) -> model::Properties& {
    if (!model::is_table_property(key)) return altered.registration.custom_properties;
    table_keys.push_back(key);
    return altered.registration.properties;
  };
  for (const auto& [key, value] : event.set) target(key).set(key, value);
  for (const std::string& key : event.reset) target(key).erase(key);
  STROM_TRY(validate_alter_properties(current, table_keys));
  Plan plan;
  if (altered.registration.properties == table.registration.properties &&
      altered.registration.custom_properties == table.registration.custom_properties) {
    return plan;
  }
  altered.registration.modified = now;
  // Checked before table_info(), which expects properties that can be read.
  model::TableDescriptor descriptor = current.descriptor();
  descriptor.properties = altered.registration.properties;
  descriptor.custom_properties = altered.registration.custom_properties;
  STROM_TRY(validate_table(descriptor, {.max_buckets = settings.max_bucket_num}));
  plan.writes.push_back(
      Operation::set(model::node_paths::table(table.path), to_buffer(altered.registration.to_json())));
  tell_table(state, altered, plan);
  plan.changes.push_back(PutTable{std::move(altered)});
  return plan;
}

}  // namespace

Plan plan_alter_table(const State& state, const Settings& settings, const AlterTable& event, Timestamp now) {
  Plan refused;
  const TableState* table = state.find_table(event.path);
  if (table == nullptr) {
    if (!event.ignore_if_missing) {
      refused.reply = make_error(ErrorCode::kTableNotExist, "table {} does not exist", event.path);
    }
    return refused;
  }
  auto made = event.add_columns.empty() ? alter_properties(state, settings, *table, event, now)
                                        : alter_columns(state, *table, event);
  if (made.ok()) return std::move(*made);
  refused.reply = std::move(made).error();
  return refused;
}

}  // namespace strom::coordinator
