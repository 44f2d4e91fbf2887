#include "rpc/api.h"

#include <array>

#include "base/check.h"

namespace strom::rpc {
namespace {

constexpr auto kRows = std::to_array<ApiRow>({
#define STROM_API(enumerator, key, name, min_version, max_version, served_by, kind, message) \
  {ApiKey::enumerator, name, min_version, max_version, ServedBy::served_by, ApiKind::kind},
#include "rpc/api.inc"
#undef STROM_API
});

// Keys are dense, so that a row is found by subtraction.
constexpr int16_t kFirstKey = static_cast<int16_t>(kRows.front().key);
constexpr bool rows_are_dense() {
  for (size_t i = 0; i < kRows.size(); ++i) {
    if (static_cast<size_t>(kRows[i].key) != kFirstKey + i) return false;
  }
  return true;
}
static_assert(rows_are_dense());

}  // namespace

std::span<const ApiRow> api_table() { return kRows; }

const ApiRow* find_api(int16_t key) {
  if (key < kFirstKey || static_cast<size_t>(key - kFirstKey) >= kRows.size()) return nullptr;
  return &kRows[static_cast<size_t>(key - kFirstKey)];
}

const ApiRow& api_row(ApiKey key) {
  const ApiRow* row = find_api(static_cast<int16_t>(key));
  STROM_CHECK(row != nullptr, "no row for API key {}", static_cast<int16_t>(key));
  return *row;
}

std::string_view api_name(int16_t key) {
  const ApiRow* row = find_api(key);
  return row == nullptr ? "UNKNOWN" : row->name;
}

}  // namespace strom::rpc
