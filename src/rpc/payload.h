// Payload: the body of a message as a list of slices, so that record batches travel from the disk or the
// network to the socket without being copied into one buffer. A value: it may cross threads. Format:
// docs/formats/rpc.md.
#pragma once

#include <utility>
#include <vector>

#include "base/bytes.h"

namespace strom::rpc {

class Payload {
 public:
  Payload() = default;
  Payload(Slice slice) { add(std::move(slice)); }  // NOLINT: implicit on purpose

  void add(Slice slice) {
    if (slice.empty()) return;
    size_ += slice.size();
    parts_.push_back(std::move(slice));
  }
  void add(const Payload& other) {
    for (const Slice& part : other.parts_) add(part);
  }

  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  const std::vector<Slice>& parts() const { return parts_; }

  // The bytes in one piece; a copy only when there is more than one part.
  Slice flatten() const;

 private:
  std::vector<Slice> parts_;
  size_t size_ = 0;
};

}  // namespace strom::rpc
