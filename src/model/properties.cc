#include "model/properties.h"

#include <algorithm>

namespace strom::model {

const std::string* Properties::find(std::string_view key) const {
  auto at = std::ranges::find(entries_, key, &Entry::first);
  return at == entries_.end() ? nullptr : &at->second;
}

void Properties::set(std::string_view key, std::string_view value) {
  auto at = std::ranges::find(entries_, key, &Entry::first);
  if (at == entries_.end()) {
    entries_.emplace_back(key, value);
  } else {
    at->second = value;
  }
}

bool Properties::erase(std::string_view key) {
  return std::erase_if(entries_, [&](const Entry& entry) { return entry.first == key; }) > 0;
}

bool operator==(const Properties& a, const Properties& b) {
  if (a.size() != b.size()) return false;
  return std::ranges::all_of(a, [&](const Properties::Entry& entry) {
    const std::string* other = b.find(entry.first);
    return other != nullptr && *other == entry.second;
  });
}

}  // namespace strom::model
