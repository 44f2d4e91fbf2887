#include "model/assignment.h"

#include <charconv>

#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "model/json.h"

namespace strom::model {
namespace {

constexpr ErrorCode kCode = ErrorCode::kUnknownServerError;

// Written and read without the ordered object of the other documents: a table may have 100,000 buckets.
std::string print(const BucketAssignments& buckets) {
  std::string text;
  for (const auto& [bucket, replicas] : buckets) {
    fmt::format_to(std::back_inserter(text), "{}\"{}\":[{}]", text.empty() ? "" : ",", bucket,
                   fmt::join(replicas, ","));
  }
  return "{" + text + "}";
}

Result<BucketId> bucket_id(std::string_view name) {
  int32_t id = 0;
  auto [end, failure] = std::from_chars(name.data(), name.data() + name.size(), id);
  if (failure != std::errc{} || end != name.data() + name.size() || id < 0) {
    return make_error(kCode, "assignment node: '{}' is no bucket number", name);
  }
  return BucketId(id);
}

Result<BucketAssignments> buckets_from(const nlohmann::json& json) {
  auto found = json.find("buckets");
  if (found == json.end() || !found->is_object()) {
    return make_error(kCode, "assignment node: expected an object 'buckets'");
  }
  BucketAssignments buckets;
  for (const auto& [name, replicas] : found->items()) {
    std::vector<ServerId>& servers = buckets[STROM_TRY(bucket_id(name))];
    if (!replicas.is_array())
      return make_error(kCode, "assignment node: bucket {} has no list of servers", name);
    for (const nlohmann::json& replica : replicas) {
      if (!replica.is_number_integer()) {
        return make_error(kCode, "assignment node: bucket {} has a server that is no number", name);
      }
      servers.emplace_back(replica.get<int32_t>());
    }
  }
  return buckets;
}

Result<nlohmann::json> parse_plain(std::string_view text) {
  nlohmann::json json = nlohmann::json::parse(text.begin(), text.end(), nullptr, /*allow_exceptions=*/false);
  if (json.is_discarded() || !json.is_object())
    return make_error(kCode, "assignment node: not a JSON object");
  return json;
}

std::vector<ServerId> servers_of(const std::vector<int32_t>& ids) {
  return std::vector<ServerId>(ids.begin(), ids.end());
}

Json json_of(const std::vector<ServerId>& servers) {
  Json array = Json::array();
  for (ServerId server : servers) array.push_back(server.value);
  return array;
}

}  // namespace

std::string TableAssignment::to_json() const {
  return fmt::format(R"({{"version":1,"buckets":{}}})", print(buckets));
}

Result<TableAssignment> TableAssignment::parse_json(std::string_view json) {
  return TableAssignment{STROM_TRY(buckets_from(STROM_TRY(parse_plain(json))))};
}

std::string PartitionAssignment::to_json() const {
  return fmt::format(R"({{"version":1,"table_id":{},"buckets":{}}})", table_id, print(buckets));
}

Result<PartitionAssignment> PartitionAssignment::parse_json(std::string_view json) {
  nlohmann::json document = STROM_TRY(parse_plain(json));
  auto id = document.find("table_id");
  if (id == document.end() || !id->is_number_integer()) {
    return make_error(kCode, "assignment node: expected a number 'table_id'");
  }
  return PartitionAssignment{TableId(id->get<int64_t>()), STROM_TRY(buckets_from(document))};
}

std::string LeaderAndIsr::to_json() const {
  Json json = {{"version", 2},
               {"leader", leader.value},
               {"leader_epoch", leader_epoch.value},
               {"isr", json_of(isr)},
               {"coordinator_epoch", coordinator_epoch.value},
               {"bucket_epoch", bucket_epoch.value},
               {"standby_replicas", json_of(standby_replicas)}};
  return dump_json(json);
}

Result<LeaderAndIsr> LeaderAndIsr::parse_json(std::string_view json) {
  Json document = STROM_TRY(parse_json_object(json, kCode));
  JsonObject object(document, kCode, "leader node");
  LeaderAndIsr state;
  state.leader = ServerId(STROM_TRY(object.int32("leader")));
  state.leader_epoch = LeaderEpoch(STROM_TRY(object.int32("leader_epoch")));
  state.isr = servers_of(STROM_TRY(object.int32s("isr")));
  state.coordinator_epoch = CoordinatorEpoch(STROM_TRY(object.int32("coordinator_epoch")));
  state.bucket_epoch = BucketEpoch(STROM_TRY(object.int32("bucket_epoch")));
  if (object.find("standby_replicas") != nullptr) {
    state.standby_replicas = servers_of(STROM_TRY(object.int32s("standby_replicas")));
  }
  return state;
}

}  // namespace strom::model
