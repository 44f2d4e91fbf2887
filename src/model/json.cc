#include "model/json.h"

#include <limits>

#include <nlohmann/json.hpp>

namespace strom::model {
namespace {

struct TooLarge {};

// Counts members per open object and stops the parser at a limit.
class Limits {
 public:
  bool operator()(int depth, Json::parse_event_t event, Json&) {
    if (depth > kMaxJsonDepth) throw TooLarge{};
    if (event == Json::parse_event_t::object_start) members_.push_back(0);
    if (event == Json::parse_event_t::object_end) members_.pop_back();
    if (event == Json::parse_event_t::key && ++members_.back() > kMaxJsonMembers) throw TooLarge{};
    return true;
  }

 private:
  std::vector<size_t> members_;
};

}  // namespace

Result<Json> parse_json_object(std::string_view text, ErrorCode code) {
  try {
    Limits limits;
    auto callback = [&limits](int depth, Json::parse_event_t event, Json& value) {
      return limits(depth, event, value);
    };
    Json json = Json::parse(text.begin(), text.end(), callback);
    if (!json.is_object()) return make_error(code, "expected a JSON object, found {}", json.type_name());
    return json;
  } catch (const TooLarge&) {
    return make_error(code, "the JSON is nested deeper than {} or has an object with more than {} members",
                      kMaxJsonDepth, kMaxJsonMembers);
  } catch (const Json::exception& e) {
    return make_error(code, "not valid JSON: {}", e.what());
  }
}

std::string dump_json(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

Status JsonObject::check() const {
  if (json_.is_object()) return {};
  return make_error(code_, "{}: expected a JSON object, found {}", what_, json_.type_name());
}

const Json* JsonObject::find(std::string_view name) const {
  if (!json_.is_object()) return nullptr;
  auto at = json_.find(name);
  return at == json_.end() || at->is_null() ? nullptr : &*at;
}

Result<const Json*> JsonObject::get(std::string_view name) const {
  STROM_TRY(check());
  const Json* value = find(name);
  if (value == nullptr) return make_error(code_, "{}: '{}' is missing", what_, name);
  return value;
}

Error JsonObject::wrong(std::string_view name, std::string_view expected) const {
  return make_error(code_, "{}: expected '{}' to be {}, found {}", what_, name, expected,
                    dump_json(*find(name)));
}

Result<std::optional<int64_t>> JsonObject::optional_int64(std::string_view name) const {
  const Json* value = find(name);
  if (value == nullptr) return std::optional<int64_t>();
  if (!value->is_number_integer()) return wrong(name, "an integer");
  if (value->is_number_unsigned() && value->get<uint64_t>() > uint64_t(std::numeric_limits<int64_t>::max())) {
    return wrong(name, "a 64-bit integer");
  }
  return std::optional<int64_t>(value->get<int64_t>());
}

Result<std::optional<int32_t>> JsonObject::optional_int32(std::string_view name) const {
  std::optional<int64_t> value = STROM_TRY(optional_int64(name));
  if (!value) return std::optional<int32_t>();
  if (*value < std::numeric_limits<int32_t>::min() || *value > std::numeric_limits<int32_t>::max()) {
    return wrong(name, "a 32-bit integer");
  }
  return std::optional<int32_t>(static_cast<int32_t>(*value));
}

Result<int64_t> JsonObject::int64(std::string_view name) const {
  STROM_TRY(get(name));
  return *STROM_TRY(optional_int64(name));
}

Result<int32_t> JsonObject::int32(std::string_view name) const {
  STROM_TRY(get(name));
  return *STROM_TRY(optional_int32(name));
}

Result<std::optional<std::string>> JsonObject::optional_text(std::string_view name) const {
  const Json* value = find(name);
  if (value == nullptr) return std::optional<std::string>();
  if (!value->is_string()) return wrong(name, "a string");
  return std::optional<std::string>(value->get<std::string>());
}

Result<std::string> JsonObject::text(std::string_view name) const {
  STROM_TRY(get(name));
  return *STROM_TRY(optional_text(name));
}

Result<bool> JsonObject::boolean_or(std::string_view name, bool absent) const {
  const Json* value = find(name);
  if (value == nullptr) return absent;
  if (!value->is_boolean()) return wrong(name, "true or false");
  return value->get<bool>();
}

Result<std::vector<std::string>> JsonObject::texts(std::string_view name) const {
  const Json& value = *STROM_TRY(get(name));
  std::vector<std::string> result;
  if (!value.is_array()) return wrong(name, "an array of strings");
  for (const Json& item : value) {
    if (!item.is_string()) return wrong(name, "an array of strings");
    result.push_back(item.get<std::string>());
  }
  return result;
}

Result<std::vector<std::string>> JsonObject::texts_or_none(std::string_view name) const {
  if (find(name) == nullptr) return std::vector<std::string>();
  return texts(name);
}

Result<std::vector<int32_t>> JsonObject::int32s(std::string_view name) const {
  const Json& value = *STROM_TRY(get(name));
  std::vector<int32_t> result;
  if (!value.is_array()) return wrong(name, "an array of integers");
  for (const Json& item : value) {
    if (!item.is_number_integer()) return wrong(name, "an array of integers");
    result.push_back(item.get<int32_t>());
  }
  return result;
}

Result<Properties> JsonObject::properties(std::string_view name) const {
  const Json& value = *STROM_TRY(get(name));
  Properties result;
  if (!value.is_object()) return wrong(name, "an object of strings");
  for (const auto& [key, item] : value.items()) {
    // Numbers and booleans count as their text, as they do upstream.
    if (item.is_structured() || item.is_null()) return wrong(name, "an object of strings");
    result.set(key, item.is_string() ? item.get<std::string>() : dump_json(item));
  }
  return result;
}

Json json_of(const Properties& properties) {
  Json object = Json::object();
  for (const auto& [key, value] : properties) object[key] = value;
  return object;
}

Json json_of(const std::vector<std::string>& texts) {
  Json array = Json::array();
  for (const std::string& text : texts) array.push_back(text);
  return array;
}

}  // namespace strom::model
