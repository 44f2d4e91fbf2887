// OutputQueue: frames that wait to be written, gathered so that one vectored write takes them all. Small
// pieces are copied together, large ones stay slices.
//   frames   [h|small] [h|-- records --|t] [h|small]
//   parts    [h small h] [-- records --] [t h small]
// Lives on: one loop.
#pragma once

#include "rpc/payload.h"

namespace strom::rpc {

class OutputQueue {
 public:
  static constexpr size_t kCopyBelow = 4096;

  void add(const Payload& frame);
  size_t size() const { return size_; }  // bytes
  bool empty() const { return size_ == 0; }
  // Everything so far, in order; the queue is empty afterwards.
  std::vector<Slice> take();

 private:
  void close_small();
  Buffer small_;
  std::vector<Slice> parts_;
  size_t size_ = 0;
};

}  // namespace strom::rpc
