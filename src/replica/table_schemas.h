// TableSchemas: the schemas of one table that batches refer to, and the projections that clients ask for, so
// that neither is made again for each fetch. Lives on: one shard; shared by the table's replicas there.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "format/projection.h"
#include "replica/ports.h"

namespace strom::replica {

class TableSchemas {
 public:
  TableSchemas(TableSource& source, model::TablePath path) : source_(source), path_(std::move(path)) {}

  async::Task<Result<std::shared_ptr<const model::Schema>>> schema(model::SchemaId id);
  // The plan that keeps the columns at `positions` of batches written with schema `id`.
  async::Task<Result<std::shared_ptr<const format::ProjectionPlan>>> projection(
      model::SchemaId id, std::vector<int32_t> positions);

 private:
  static constexpr size_t kMaxPlans = 64;

  TableSource& source_;
  model::TablePath path_;
  std::map<model::SchemaId, std::shared_ptr<const model::Schema>> schemas_;
  std::map<std::pair<model::SchemaId, std::vector<int32_t>>, std::shared_ptr<const format::ProjectionPlan>>
      plans_;
};

}  // namespace strom::replica
