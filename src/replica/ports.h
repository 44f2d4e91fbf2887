// What a replica needs of the server around it. Implemented by server/tablet; by a map in tests.
#pragma once

#include <memory>

#include "async/task.h"
#include "base/result.h"
#include "model/table_info.h"

namespace strom::replica {

// Lives on: the shard that asks; an answer may come from another shard or from the metadata store.
class TableSource {
 public:
  virtual ~TableSource() = default;
  // A table as it is now. kTableNotExist when it is gone or has another id.
  virtual async::Task<Result<std::shared_ptr<const model::TableInfo>>> table(model::TablePath path,
                                                                             model::TableId id) = 0;
  // Any schema that the table has or had. kSchemaNotExist.
  virtual async::Task<Result<std::shared_ptr<const model::Schema>>> schema(model::TablePath path,
                                                                           model::SchemaId id) = 0;
};

}  // namespace strom::replica
