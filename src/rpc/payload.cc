#include "rpc/payload.h"

#include <cstring>

namespace strom::rpc {

Slice Payload::flatten() const {
  if (parts_.empty()) return {};
  if (parts_.size() == 1) return parts_.front();
  SharedBuffer whole(size_);
  uint8_t* to = whole.data();
  for (const Slice& part : parts_) {
    std::memcpy(to, part.data(), part.size());
    to += part.size();
  }
  return Slice(whole);
}

}  // namespace strom::rpc
