// JSON of types and schemas as parts of larger documents. Internal to src/model.
#pragma once

#include "base/result.h"
#include "model/data_type.h"
#include "model/json.h"
#include "model/schema.h"

namespace strom::model {

Json json_of(const DataType& type);
Result<DataType> data_type_from(const Json& json);  // kInvalidTable
Json json_of(const Schema& schema);
Result<Schema> schema_from(const Json& json);  // kInvalidTable

}  // namespace strom::model
