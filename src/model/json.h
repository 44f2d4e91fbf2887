// Reading and writing the JSON documents of this module. Internal to src/model: other modules call
// to_json/parse_json of the types. Exceptions of the JSON library stop in json.cc.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "base/result.h"
#include "model/properties.h"

namespace strom::model {

using Json = nlohmann::ordered_json;  // keeps the order of members

// Parses one object. Refuses what is no JSON or no object, deeper than kMaxJsonDepth, or has more than
// kMaxJsonMembers members in one object (look-ups in ordered objects are linear). `code` is the code of all
// errors.
inline constexpr int kMaxJsonDepth = 200;
inline constexpr size_t kMaxJsonMembers = 5000;
Result<Json> parse_json_object(std::string_view text, ErrorCode code);

// Compact text, members in order; bytes that are no UTF-8 are replaced.
std::string dump_json(const Json& json);

// Members of an object, by name and kind. Absent and null are the same. Errors are made with `code` and name
// the member.
class JsonObject {
 public:
  // `json` must outlive this and may be anything: accessors of something that is no object fail.
  JsonObject(const Json& json, ErrorCode code, std::string_view what)
      : json_(json), code_(code), what_(what) {}

  Status check() const;  // it is an object
  const Json* find(std::string_view name) const;
  Result<const Json*> get(std::string_view name) const;

  Result<int64_t> int64(std::string_view name) const;
  Result<int32_t> int32(std::string_view name) const;
  Result<std::optional<int64_t>> optional_int64(std::string_view name) const;
  Result<std::optional<int32_t>> optional_int32(std::string_view name) const;
  Result<std::string> text(std::string_view name) const;
  Result<std::optional<std::string>> optional_text(std::string_view name) const;
  Result<bool> boolean_or(std::string_view name, bool absent) const;
  Result<std::vector<std::string>> texts(std::string_view name) const;  // an array of strings
  Result<std::vector<std::string>> texts_or_none(std::string_view name) const;
  Result<std::vector<int32_t>> int32s(std::string_view name) const;
  Result<Properties> properties(std::string_view name) const;  // an object of strings

 private:
  Error wrong(std::string_view name, std::string_view expected) const;

  const Json& json_;
  ErrorCode code_;
  std::string_view what_;
};

Json json_of(const Properties& properties);
Json json_of(const std::vector<std::string>& texts);

}  // namespace strom::model
