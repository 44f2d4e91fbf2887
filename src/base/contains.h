// contains(range, value): std::ranges::contains, which the standard library here does not have yet.
#pragma once

#include <algorithm>
#include <ranges>

namespace strom {

template <std::ranges::input_range R, class T>
bool contains(const R& range, const T& value) {
  return std::ranges::find(range, value) != std::ranges::end(range);
}

}  // namespace strom
