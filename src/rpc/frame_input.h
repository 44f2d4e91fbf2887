// FrameInput: buffered reading from a connection. One read takes whatever has arrived, often many small
// frames; a large body is read into its own memory without passing through the buffer. Lives on: the
// connection's loop. One reader.
#pragma once

#include <memory>

#include "async/net.h"

namespace strom::rpc {

class FrameInput {
 public:
  // `connection` outlives the input.
  explicit FrameInput(async::Connection& connection, size_t capacity = 16 * 1024)
      : connection_(connection), buffer_(capacity) {}

  ByteView buffered() const { return ByteView(buffer_).subspan(begin_, end_ - begin_); }
  void consume(size_t count) { begin_ += count; }

  // Reads once, behind what is buffered, which must be less than the capacity. The number of bytes, 0 at the
  // end.
  async::Task<Result<size_t>> read_more(async::Deadline deadline);

  // Fills `into` from the buffer and then from the connection. Each read must bring something within
  // `patience`.
  async::Task<Status> read_exactly(MutableBytes into, async::EventLoop& loop, async::Duration patience,
                                   async::StopSource* stop);

  // Takes what the buffer has; the number of bytes.
  size_t take(MutableBytes into);

 private:
  async::Connection& connection_;
  Buffer buffer_;
  size_t begin_ = 0;
  size_t end_ = 0;
};

}  // namespace strom::rpc
