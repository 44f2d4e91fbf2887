#include "model/database_descriptor.h"

#include <nlohmann/json.hpp>

#include "model/json.h"

namespace strom::model {

std::string DatabaseDescriptor::to_json() const {
  Json json = {{"version", 1}};
  if (comment) json["comment"] = *comment;
  json["custom_properties"] = json_of(custom_properties);
  return dump_json(json);
}

Result<DatabaseDescriptor> DatabaseDescriptor::parse_json(std::string_view json) {
  Json document = STROM_TRY(parse_json_object(json, ErrorCode::kInvalidDatabase));
  JsonObject object(document, ErrorCode::kInvalidDatabase, "database descriptor");
  DatabaseDescriptor descriptor;
  descriptor.comment = STROM_TRY(object.optional_text("comment"));
  descriptor.custom_properties = STROM_TRY(object.properties("custom_properties"));
  return descriptor;
}

}  // namespace strom::model
