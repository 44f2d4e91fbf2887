// Bytes: views, owned buffers and shared slices.
//   ByteView     borrowed, read only             MutableBytes  borrowed, writable
//   Buffer       owned, growable                 Slice         a part of a buffer that it keeps alive
// A request's frame is one Buffer; its record batches are Slices of it all the way to the disk write.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace strom {

using ByteView = std::span<const uint8_t>;
using MutableBytes = std::span<uint8_t>;
using Buffer = std::vector<uint8_t>;

inline ByteView as_bytes(std::string_view text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}
inline std::string_view as_text(ByteView bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}
inline std::string to_string(ByteView bytes) { return std::string(as_text(bytes)); }
inline void append(Buffer& to, ByteView bytes) { to.insert(to.end(), bytes.begin(), bytes.end()); }

// Memory that several owners share: allocated without being zeroed, freed when the last Slice of it goes.
// `on_release` hooks (byte budgets) are the deleter of `owner`.
class SharedBuffer {
 public:
  SharedBuffer() = default;
  explicit SharedBuffer(size_t size) : owner_(std::make_shared_for_overwrite<uint8_t[]>(size)), size_(size) {}
  SharedBuffer(std::shared_ptr<uint8_t[]> owner, size_t size) : owner_(std::move(owner)), size_(size) {}

  uint8_t* data() const { return owner_.get(); }
  size_t size() const { return size_; }
  MutableBytes bytes() const { return {owner_.get(), size_}; }
  const std::shared_ptr<uint8_t[]>& owner() const { return owner_; }

 private:
  std::shared_ptr<uint8_t[]> owner_;
  size_t size_ = 0;
};

// A range of shared memory. Copying is cheap (a reference count) and safe across threads as long as nobody
// writes.
class Slice {
 public:
  Slice() = default;
  Slice(std::shared_ptr<const void> owner, ByteView view) : owner_(std::move(owner)), view_(view) {}
  explicit Slice(const SharedBuffer& buffer) : owner_(buffer.owner()), view_(buffer.bytes()) {}
  // Takes over the bytes of `buffer`.
  static Slice own(Buffer&& buffer) {
    auto owner = std::make_shared<Buffer>(std::move(buffer));
    ByteView view(*owner);
    return Slice(std::move(owner), view);
  }
  static Slice copy(ByteView bytes) { return own(Buffer(bytes.begin(), bytes.end())); }
  static Slice own(std::string&& text) {
    auto owner = std::make_shared<std::string>(std::move(text));
    ByteView view = as_bytes(*owner);
    return Slice(std::move(owner), view);
  }

  ByteView view() const { return view_; }
  const uint8_t* data() const { return view_.data(); }
  size_t size() const { return view_.size(); }
  bool empty() const { return view_.empty(); }
  Slice sub(size_t from, size_t count) const { return Slice(owner_, view_.subspan(from, count)); }
  // The same memory, writable. Only the owner shard of the bytes may use it, before anyone else reads them.
  MutableBytes writable() const { return {const_cast<uint8_t*>(view_.data()), view_.size()}; }
  const std::shared_ptr<const void>& owner() const { return owner_; }

 private:
  std::shared_ptr<const void> owner_;
  ByteView view_;
};

// "0a1b" <-> bytes; from_hex accepts only pairs of hex digits and returns an empty buffer otherwise.
std::string to_hex(ByteView bytes);
Buffer from_hex(std::string_view hex);

}  // namespace strom
