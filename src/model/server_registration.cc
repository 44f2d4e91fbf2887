#include "model/server_registration.h"

#include <charconv>

#include <nlohmann/json.hpp>

#include "base/endian.h"
#include "model/json.h"

namespace strom::model {
namespace {

constexpr ErrorCode kCode = ErrorCode::kUnknownServerError;

// Version 1 of both kinds of servers had one host and port.
Result<std::vector<Endpoint>> endpoints_from(const JsonObject& object,
                                             std::string_view listener_of_version_1) {
  int32_t version = STROM_TRY(object.int32("version"));
  if (version == 1) {
    Endpoint endpoint{.listener = std::string(listener_of_version_1),
                      .host = STROM_TRY(object.text("host")),
                      .port = STROM_TRY(object.int32("port"))};
    return std::vector<Endpoint>{std::move(endpoint)};
  }
  std::string text = STROM_TRY(object.text("listeners"));
  Result<std::vector<Endpoint>> endpoints = parse_endpoints(text);
  if (!endpoints.ok()) return make_error(kCode, "server node: {}", endpoints.error().message);
  return endpoints;
}

}  // namespace

std::string CoordinatorAddress::to_json() const {
  return dump_json(Json{{"version", 2}, {"id", id}, {"listeners", to_string(endpoints)}});
}

Result<CoordinatorAddress> CoordinatorAddress::parse_json(std::string_view json) {
  Json document = STROM_TRY(parse_json_object(json, kCode));
  JsonObject object(document, kCode, "coordinator node");
  std::string id = STROM_TRY(object.text("id"));
  return CoordinatorAddress{std::move(id), STROM_TRY(endpoints_from(object, "CLIENT"))};
}

std::string TabletServerRegistration::to_json() const {
  Json json = {{"version", 4}, {"listeners", to_string(endpoints)}, {"register_timestamp", registered.value}};
  if (rack) json["rack"] = *rack;
  if (cpu_cores) json["cpu_cores"] = *cpu_cores;
  if (memory_bytes) json["memory_bytes"] = *memory_bytes;
  return dump_json(json);
}

Result<TabletServerRegistration> TabletServerRegistration::parse_json(std::string_view json) {
  Json document = STROM_TRY(parse_json_object(json, kCode));
  JsonObject object(document, kCode, "tablet server node");
  TabletServerRegistration server;
  server.endpoints = STROM_TRY(endpoints_from(object, "FLUSS"));
  server.registered = Timestamp(STROM_TRY(object.int64("register_timestamp")));
  server.rack = STROM_TRY(object.optional_text("rack"));
  if (const Json* cores = object.find("cpu_cores")) {
    if (!cores->is_number()) return make_error(kCode, "tablet server node: 'cpu_cores' is no number");
    server.cpu_cores = cores->get<double>();
  }
  server.memory_bytes = STROM_TRY(object.optional_int64("memory_bytes"));
  return server;
}

std::string ServerTags::to_json() const {
  Json by_server = Json::object();
  for (const auto& [server, tag] : tags) by_server[fmt::to_string(server.value)] = static_cast<int32_t>(tag);
  return dump_json(Json{{"version", 1}, {"server_tags", std::move(by_server)}});
}

Result<ServerTags> ServerTags::parse_json(std::string_view json) {
  Json document = STROM_TRY(parse_json_object(json, kCode));
  const Json& by_server = *STROM_TRY(JsonObject(document, kCode, "server tags node").get("server_tags"));
  JsonObject object(by_server, kCode, "server tags node");
  STROM_TRY(object.check());
  ServerTags result;
  for (const auto& [name, value] : by_server.items()) {
    int32_t server = 0;
    auto [end, failure] = std::from_chars(name.data(), name.data() + name.size(), server);
    if (failure != std::errc{} || end != name.data() + name.size()) {
      return make_error(kCode, "server tags node: '{}' is no server id", name);
    }
    int32_t tag = STROM_TRY(object.int32(name));
    if (tag != 0 && tag != 1) return make_error(kCode, "server tags node: tag {} is unknown", tag);
    result.tags[ServerId(server)] = static_cast<ServerTag>(tag);
  }
  return result;
}

std::string DynamicConfig::to_json() const {
  Json configs = Json::object();
  for (const auto& [key, value] : entries) configs[key] = value ? Json(*value) : Json(nullptr);
  return dump_json(Json{{"version", 1}, {"configs", std::move(configs)}});
}

Result<DynamicConfig> DynamicConfig::parse_json(std::string_view json) {
  Json document = STROM_TRY(parse_json_object(json, kCode));
  const Json& configs = *STROM_TRY(JsonObject(document, kCode, "config node").get("configs"));
  JsonObject object(configs, kCode, "config node");
  STROM_TRY(object.check());
  DynamicConfig result;
  for (const auto& [key, value] : configs.items()) {
    result.entries.emplace_back(key, STROM_TRY(object.optional_text(key)));
  }
  return result;
}

Buffer encode_counter(int64_t value) {
  Buffer bytes(sizeof(value));
  store_be(bytes.data(), value);
  return bytes;
}

Result<int64_t> decode_counter(ByteView bytes) {
  if (bytes.empty()) return 0;
  if (bytes.size() != sizeof(int64_t)) {
    return make_error(kCode, "counter node: expected 8 bytes, found {}", bytes.size());
  }
  return load_be<int64_t>(bytes.data());
}

std::string encode_coordinator_epoch(CoordinatorEpoch epoch) { return fmt::to_string(epoch.value); }

Result<CoordinatorEpoch> decode_coordinator_epoch(std::string_view text) {
  int32_t epoch = 0;
  auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), epoch);
  if (failure != std::errc{} || end != text.data() + text.size()) {
    return make_error(kCode, "coordinator epoch node: expected a decimal number, found '{}'", text);
  }
  return CoordinatorEpoch(epoch);
}

}  // namespace strom::model
