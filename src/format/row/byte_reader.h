// ByteReader: reads little-endian integers and LEB128 varints from bytes that may be hostile: every read is
// checked against the end. The writing half are the put_* functions. Any thread. Format:
// docs/formats/row-compacted.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/bytes.h"
#include "base/endian.h"
#include "base/result.h"

namespace strom::format {

class ByteReader {
 public:
  // `what` names the structure in error messages ("compacted row"); it must outlive the reader.
  ByteReader(ByteView bytes, std::string_view what) : bytes_(bytes), what_(what) {}

  size_t position() const { return position_; }
  size_t remaining() const { return bytes_.size() - position_; }

  // The next `count` bytes; kCorruptRecord when fewer remain.
  Result<ByteView> bytes(size_t count) {
    if (count > remaining()) return too_short(count);
    const ByteView part = bytes_.subspan(position_, count);
    position_ += count;
    return part;
  }

  template <class T>
  Result<T> fixed() {
    return load_le<T>(STROM_TRY(bytes(sizeof(T))).data());
  }

  // Unsigned LEB128. Longer forms than the shortest are accepted, numbers that do not fit T are
  // kCorruptRecord.
  template <class T>
  Result<T> varint() {
    constexpr int kBits = 8 * sizeof(T);
    T value = 0;
    for (int shift = 0; shift < kBits; shift += 7) {
      const uint8_t byte = STROM_TRY(fixed<uint8_t>());
      const T part = byte & 0x7f;
      if (shift + 7 > kBits && (part >> (kBits - shift)) != 0) break;
      value |= static_cast<T>(part << shift);
      if ((byte & 0x80) == 0) return value;
    }
    return make_error(ErrorCode::kCorruptRecord, "{}: varint before byte {} does not fit {} bits", what_,
                      position_, kBits);
  }

 private:
  Error too_short(size_t count) const {
    return make_error(ErrorCode::kCorruptRecord, "{}: expected {} more bytes at byte {}, found {}", what_,
                      count, position_, remaining());
  }

  ByteView bytes_;
  size_t position_ = 0;
  std::string_view what_;
};

template <class T>
void put_fixed(Buffer& to, T value) {
  to.resize(to.size() + sizeof(T));
  store_le(to.data() + to.size() - sizeof(T), value);
}

inline void put_varint(Buffer& to, uint64_t value) {
  for (; value >= 0x80; value >>= 7) to.push_back(static_cast<uint8_t>(value | 0x80));
  to.push_back(static_cast<uint8_t>(value));
}

}  // namespace strom::format
