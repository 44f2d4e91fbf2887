#include "rpc/output_queue.h"

namespace strom::rpc {

void OutputQueue::add(const Payload& frame) {
  for (const Slice& part : frame.parts()) {
    if (part.size() < kCopyBelow) {
      append(small_, part.view());
    } else {
      close_small();
      parts_.push_back(part);
    }
  }
  size_ += frame.size();
}

std::vector<Slice> OutputQueue::take() {
  close_small();
  size_ = 0;
  return std::exchange(parts_, {});
}

void OutputQueue::close_small() {
  if (!small_.empty()) parts_.push_back(Slice::own(std::exchange(small_, {})));
}

}  // namespace strom::rpc
