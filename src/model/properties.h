// Properties: the string-to-string maps of descriptors (`properties`, `custom_properties`), which keep the
// order in which they were read: a document that is read and written again has the same bytes. Values only,
// any thread. Upstream counterpart: the java.util.Map of the descriptors (equality ignores the order there,
// and here).
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace strom::model {

// Look-ups are linear: a table has a handful of properties, and a document with thousands is refused when it
// is read.
class Properties {
 public:
  using Entry = std::pair<std::string, std::string>;

  Properties() = default;
  Properties(std::initializer_list<Entry> entries) {
    for (const auto& [key, value] : entries) set(key, value);
  }

  // Null when absent. Valid until the next change.
  const std::string* find(std::string_view key) const;
  bool contains(std::string_view key) const { return find(key) != nullptr; }
  // Replaces the value where the key is, or adds the entry at the end.
  void set(std::string_view key, std::string_view value);
  // True when the key was there.
  bool erase(std::string_view key);

  bool empty() const { return entries_.empty(); }
  size_t size() const { return entries_.size(); }
  auto begin() const { return entries_.begin(); }
  auto end() const { return entries_.end(); }

  friend bool operator==(const Properties& a, const Properties& b);

 private:
  std::vector<Entry> entries_;
};

}  // namespace strom::model
