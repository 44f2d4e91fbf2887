#include "log/writer_snapshot.h"

#include <map>

#include <nlohmann/json.hpp>

namespace strom::log {
namespace {

using Json = nlohmann::json;

constexpr int kVersion = 1;
// Upstream calls the last offset "base offset".
constexpr std::string_view kLastOffset = "last_batch_base_offset";

template <class... Args>
Error malformed(fmt::format_string<Args...> format, Args&&... args) {
  return make_error(ErrorCode::kCorruptMessage, "damaged writer snapshot: {}",
                    fmt::format(format, std::forward<Args>(args)...));
}

Result<int64_t> number(const Json& object, std::string_view key, int64_t low, int64_t high) {
  auto found = object.find(key);
  if (found == object.end() || !found->is_number_integer()) return malformed("expected a number '{}'", key);
  if (found->is_number_unsigned() && found->get<uint64_t>() > static_cast<uint64_t>(INT64_MAX)) {
    return malformed("'{}' is out of range", key);
  }
  int64_t value = found->get<int64_t>();
  if (value < low || value > high) return malformed("'{}' is {}, expected {} to {}", key, value, low, high);
  return value;
}

Status restore(WriterState& writers, const Json& entry, model::Offset offset) {
  if (!entry.is_object()) return malformed("an entry is no object");
  int64_t writer = STROM_TRY(number(entry, "writer_id", 0, INT64_MAX));
  int64_t sequence = STROM_TRY(number(entry, "last_batch_sequence", INT32_MIN, INT32_MAX));
  int64_t last = STROM_TRY(number(entry, kLastOffset, 0, offset.value - 1));
  int64_t delta = STROM_TRY(number(entry, "offset_delta", 0, std::min<int64_t>(INT32_MAX, last)));
  int64_t timestamp = STROM_TRY(number(entry, "last_batch_timestamp", INT64_MIN, INT64_MAX));
  writers.restore(model::WriterId(writer),
                  {model::BatchSequence(static_cast<int32_t>(sequence)), model::Offset(last),
                   static_cast<int32_t>(delta), model::Timestamp(timestamp)});
  return {};
}

}  // namespace

WriterSnapshot make_writer_snapshot(const WriterState& writers, model::Offset offset) {
  std::map<model::WriterId, WrittenBatch> sorted;
  for (const auto& [writer, window] : writers.windows()) sorted.emplace(writer, window.last());
  std::string json = fmt::format(R"({{"version":{},"writer_id_entries":[)", kVersion);
  const char* separator = "";
  for (const auto& [writer, batch] : sorted) {
    fmt::format_to(std::back_inserter(json),
                   R"({}{{"writer_id":{},"last_batch_sequence":{},"{}":{},"offset_delta":{},)"
                   R"("last_batch_timestamp":{}}})",
                   separator, writer, batch.sequence, kLastOffset, batch.last_offset, batch.offset_delta,
                   batch.timestamp);
    separator = ",";
  }
  json += "]}";
  return {offset, std::move(json)};
}

Result<WriterState> parse_writer_snapshot(std::string_view json, model::Offset offset) {
  Json document = Json::parse(json, nullptr, false);
  if (!document.is_object()) return malformed("expected a JSON object");
  STROM_TRY(number(document, "version", kVersion, kVersion));
  auto entries = document.find("writer_id_entries");
  if (entries == document.end() || !entries->is_array())
    return malformed("expected an array 'writer_id_entries'");
  WriterState writers;
  for (const Json& entry : *entries) STROM_TRY(restore(writers, entry, offset));
  return writers;
}

}  // namespace strom::log
