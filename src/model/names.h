// Small things about names: membership in lists, how lists are printed in messages, comparing. Pure, any
// thread.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/ranges.h>

namespace strom::model {

inline bool contains(const std::vector<std::string>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

// "[a, b]"
inline std::string print_names(const std::vector<std::string>& names) {
  return fmt::format("[{}]", fmt::join(names, ", "));
}

// ASCII only: the names of values in configuration.
inline bool equal_ignoring_case(std::string_view a, std::string_view b) {
  auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return std::ranges::equal(a, b, {}, lower, lower);
}

}  // namespace strom::model
