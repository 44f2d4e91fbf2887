// Unaligned loads and stores of integers. Records, rows and keys are little-endian; RPC frames and index
// files big-endian.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

namespace strom {

template <class T>
T load_le(const uint8_t* from) {
  static_assert(std::endian::native == std::endian::little);
  T value;
  std::memcpy(&value, from, sizeof(T));
  return value;
}
template <class T>
void store_le(uint8_t* to, T value) {
  static_assert(std::endian::native == std::endian::little);
  std::memcpy(to, &value, sizeof(T));
}
namespace internal {
template <class T>
T swap_bytes(T value) {
  if constexpr (sizeof(T) == 2) return static_cast<T>(__builtin_bswap16(static_cast<uint16_t>(value)));
  if constexpr (sizeof(T) == 4) return static_cast<T>(__builtin_bswap32(static_cast<uint32_t>(value)));
  if constexpr (sizeof(T) == 8) return static_cast<T>(__builtin_bswap64(static_cast<uint64_t>(value)));
}
}  // namespace internal
template <class T>
T load_be(const uint8_t* from) {
  return internal::swap_bytes(load_le<T>(from));
}
template <class T>
void store_be(uint8_t* to, T value) {
  store_le(to, internal::swap_bytes(value));
}

}  // namespace strom
