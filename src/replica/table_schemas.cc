#include "replica/table_schemas.h"

namespace strom::replica {

async::Task<Result<std::shared_ptr<const model::Schema>>> TableSchemas::schema(model::SchemaId id) {
  auto found = schemas_.find(id);
  if (found != schemas_.end()) co_return found->second;
  auto schema = STROM_CO_TRY(co_await source_.schema(path_, id));
  schemas_[id] = schema;
  co_return schema;
}

async::Task<Result<std::shared_ptr<const format::ProjectionPlan>>> TableSchemas::projection(
    model::SchemaId id, std::vector<int32_t> positions) {
  std::pair key(id, std::move(positions));
  auto found = plans_.find(key);
  if (found != plans_.end()) co_return found->second;
  auto batch_schema = STROM_CO_TRY(co_await schema(id));
  auto plan = std::make_shared<const format::ProjectionPlan>(
      STROM_CO_TRY(format::ProjectionPlan::make(*batch_schema, key.second)));
  // Clients use few projections; whoever tries many shall not fill the memory.
  if (plans_.size() >= kMaxPlans) plans_.erase(plans_.begin());
  plans_[std::move(key)] = plan;
  co_return plan;
}

}  // namespace strom::replica
