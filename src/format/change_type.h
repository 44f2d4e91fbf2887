// ChangeType: what a record says about its row. One byte per record in Arrow batches with changes, the low
// four bits of the attribute byte in row formats. Format: docs/formats/log-batch.md. Upstream counterpart:
// record/ChangeType.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace strom::format {

enum class ChangeType : uint8_t {
  kAppendOnly = 0,    // +A, the only one in log tables
  kInsert = 1,        // +I
  kUpdateBefore = 2,  // -U
  kUpdateAfter = 3,   // +U
  kDelete = 4,        // -D
};

// Nothing for a byte that is no change type.
constexpr std::optional<ChangeType> change_type_of(uint8_t byte) {
  if (byte > static_cast<uint8_t>(ChangeType::kDelete)) return std::nullopt;
  return static_cast<ChangeType>(byte);
}

// "+A", "+I", "-U", "+U", "-D".
constexpr std::string_view short_name(ChangeType type) {
  constexpr std::string_view kNames[] = {"+A", "+I", "-U", "+U", "-D"};
  return kNames[static_cast<uint8_t>(type)];
}

}  // namespace strom::format
