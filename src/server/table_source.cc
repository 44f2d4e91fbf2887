#include "server/table_source.h"

#include "server/context.h"
#include "server/metadata_reader.h"

namespace strom::server {

using async::Task;

Task<Result<std::shared_ptr<const model::TableInfo>>> StoredTables::table(model::TablePath path,
                                                                          model::TableId id) {
  if (const auto* known = cache_.find(id)) co_return known->info;
  auto table =
      STROM_CO_TRY(co_await services_->home([path](Home& home) { return read_table(home.metastore, path); }));
  if (table->table_id != id) {
    co_return make_error(ErrorCode::kTableNotExist, "table {} has id {} now; the one with id {} was dropped",
                         path, table->table_id, id);
  }
  co_return table;
}

Task<Result<std::shared_ptr<const model::Schema>>> StoredTables::schema(model::TablePath path,
                                                                        model::SchemaId id) {
  const auto* known = cache_.find(path);
  if (known != nullptr && known->info->schema_id == id) {
    co_return std::shared_ptr<const model::Schema>(known->info, &known->info->schema);
  }
  auto found = STROM_CO_TRY(
      co_await services_->home([path, id](Home& home) { return read_schema(home.metastore, path, id); }));
  co_return std::make_shared<const model::Schema>(std::move(found.schema));
}

}  // namespace strom::server
