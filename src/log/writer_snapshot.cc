#include "log/writer_snapshot.h"

#include <map>

#include <nlohmann/json.hpp>

namespace strom::log {
namespace {

using Json = nlohmann::json;

constexpr int kVersion = 1;
// Upstream calls the last offset "base offset".
constexpr std::string_view kLastOffset = "last_batch_base_offset";
// Ours; upstream keeps the last batch only and does not look at other members.
constexpr std::string_view kEarlier = "earlier_batches";

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

// The members of a batch, which are named otherwise for the last one.
struct BatchNames {
  std::string_view sequence;
  std::string_view last_offset;
  std::string_view timestamp;
};
constexpr BatchNames kLastNames{"last_batch_sequence", kLastOffset, "last_batch_timestamp"};
constexpr BatchNames kEarlierNames{"sequence", "last_offset", "timestamp"};

Result<WrittenBatch> batch_of(const Json& object, const BatchNames& names, model::Offset offset) {
  if (!object.is_object()) return malformed("an entry is no object");
  int64_t sequence = STROM_TRY(number(object, names.sequence, INT32_MIN, INT32_MAX));
  int64_t last = STROM_TRY(number(object, names.last_offset, 0, offset.value - 1));
  int64_t delta = STROM_TRY(number(object, "offset_delta", 0, std::min<int64_t>(INT32_MAX, last)));
  int64_t timestamp = STROM_TRY(number(object, names.timestamp, INT64_MIN, INT64_MAX));
  return WrittenBatch{model::BatchSequence(static_cast<int32_t>(sequence)), model::Offset(last),
                      static_cast<int32_t>(delta), model::Timestamp(timestamp)};
}

Status restore(WriterState& writers, const Json& entry, model::Offset offset) {
  const WrittenBatch last = STROM_TRY(batch_of(entry, kLastNames, offset));
  const model::WriterId writer(STROM_TRY(number(entry, "writer_id", 0, INT64_MAX)));
  if (auto earlier = entry.find(kEarlier); earlier != entry.end()) {
    if (!earlier->is_array() || earlier->size() >= WriterWindow::kBatches) {
      return malformed("'{}' is no array of at most {} entries", kEarlier, WriterWindow::kBatches - 1);
    }
    for (const Json& batch : *earlier)
      writers.restore(writer, STROM_TRY(batch_of(batch, kEarlierNames, offset)));
  }
  writers.restore(writer, last);
  return {};
}

std::string entry_of(model::WriterId writer, std::vector<WrittenBatch> batches) {
  const WrittenBatch last = batches.back();
  batches.pop_back();
  std::string json =
      fmt::format(R"({{"writer_id":{},"last_batch_sequence":{},"{}":{},"offset_delta":{},)"
                  R"("last_batch_timestamp":{})",
                  writer, last.sequence, kLastOffset, last.last_offset, last.offset_delta, last.timestamp);
  std::string separator = fmt::format(R"(,"{}":[)", kEarlier);
  for (const WrittenBatch& batch : batches) {
    fmt::format_to(std::back_inserter(json),
                   R"({}{{"sequence":{},"last_offset":{},"offset_delta":{},"timestamp":{}}})", separator,
                   batch.sequence, batch.last_offset, batch.offset_delta, batch.timestamp);
    separator = ",";
  }
  return json + (batches.empty() ? "}" : "]}");
}

}  // namespace

WriterSnapshot make_writer_snapshot(const WriterState& writers, model::Offset offset) {
  std::map<model::WriterId, std::vector<WrittenBatch>> sorted;
  for (const auto& [writer, window] : writers.windows()) sorted.emplace(writer, window.batches());
  std::string json = fmt::format(R"({{"version":{},"writer_id_entries":[)", kVersion);
  const char* separator = "";
  for (auto& [writer, batches] : sorted) {
    json += separator + entry_of(writer, std::move(batches));
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
