// DatabaseDescriptor: comment and custom properties of a database. Values only, any thread.
// Written down in docs/formats/json.md. Upstream counterpart: metadata/DatabaseDescriptor.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "model/properties.h"

namespace strom::model {

struct DatabaseDescriptor {
  std::optional<std::string> comment = std::nullopt;
  Properties custom_properties = {};

  std::string to_json() const;
  static Result<DatabaseDescriptor> parse_json(std::string_view json);  // kInvalidDatabase

  friend bool operator==(const DatabaseDescriptor&, const DatabaseDescriptor&) = default;
};

}  // namespace strom::model
