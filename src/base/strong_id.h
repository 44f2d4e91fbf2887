// Strong ids: integers that can't be mixed up. `TableId` and `PartitionId` are both 64-bit numbers on the
// wire; in the code they are different types, so that no bare integer crosses a header.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>

#include <fmt/format.h>

namespace strom {

// `Tag` makes the type unique, `Rep` is the representation on the wire.
template <class Tag, class Rep>
struct StrongId {
  using rep = Rep;
  Rep value{};

  constexpr StrongId() = default;
  constexpr explicit StrongId(Rep v) : value(v) {}
  friend constexpr auto operator<=>(const StrongId&, const StrongId&) = default;
};

// A strong id that counts: positions that can be advanced and subtracted (offsets, epochs).
template <class Tag, class Rep>
struct StrongCounter : StrongId<Tag, Rep> {
  using StrongId<Tag, Rep>::StrongId;
  friend constexpr auto operator<=>(const StrongCounter&, const StrongCounter&) = default;
  friend constexpr StrongCounter operator+(StrongCounter a, Rep n) { return StrongCounter(a.value + n); }
  friend constexpr StrongCounter operator-(StrongCounter a, Rep n) { return StrongCounter(a.value - n); }
  friend constexpr Rep operator-(StrongCounter a, StrongCounter b) { return a.value - b.value; }
  constexpr StrongCounter next() const { return StrongCounter(this->value + 1); }
};

}  // namespace strom

template <class Tag, class Rep>
struct std::hash<strom::StrongId<Tag, Rep>> {
  std::size_t operator()(const strom::StrongId<Tag, Rep>& id) const noexcept {
    return std::hash<Rep>{}(id.value);
  }
};
template <class Tag, class Rep>
struct std::hash<strom::StrongCounter<Tag, Rep>> {
  std::size_t operator()(const strom::StrongCounter<Tag, Rep>& id) const noexcept {
    return std::hash<Rep>{}(id.value);
  }
};
template <class Tag, class Rep>
struct fmt::formatter<strom::StrongId<Tag, Rep>> : fmt::formatter<Rep> {
  auto format(const strom::StrongId<Tag, Rep>& id, fmt::format_context& ctx) const {
    return fmt::formatter<Rep>::format(id.value, ctx);
  }
};
template <class Tag, class Rep>
struct fmt::formatter<strom::StrongCounter<Tag, Rep>> : fmt::formatter<Rep> {
  auto format(const strom::StrongCounter<Tag, Rep>& id, fmt::format_context& ctx) const {
    return fmt::formatter<Rep>::format(id.value, ctx);
  }
};
