#include "rpc/frame_input.h"

#include <cstring>

namespace strom::rpc {

async::Task<Result<size_t>> FrameInput::read_more(async::Deadline deadline) {
  if (begin_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
  }
  STROM_CHECK(end_ < buffer_.size(), "the input buffer of {} bytes is full", buffer_.size());
  Result<size_t> count = co_await connection_.read(MutableBytes(buffer_).subspan(end_), deadline);
  if (count.ok()) end_ += *count;
  co_return count;
}

size_t FrameInput::take(MutableBytes into) {
  size_t count = std::min(into.size(), end_ - begin_);
  if (count > 0) std::memcpy(into.data(), buffer_.data() + begin_, count);
  begin_ += count;
  return count;
}

async::Task<Status> FrameInput::read_exactly(MutableBytes into, async::EventLoop& loop,
                                             async::Duration patience, async::StopSource* stop) {
  into = into.subspan(take(into));
  while (!into.empty()) {
    // Small remainders go through the buffer, so that the frames behind them come with the same read.
    bool direct = into.size() >= buffer_.size();
    async::Deadline deadline = async::Deadline::after(loop, patience, stop);
    Result<size_t> count = direct ? co_await connection_.read(into, deadline) : co_await read_more(deadline);
    if (!count.ok()) {
      if (deadline.stopped() || !deadline.passed(loop)) co_return std::move(count).error();
      co_return make_error(ErrorCode::kRequestTimeOut, "a frame did not go on, {} bytes are missing",
                           into.size());
    }
    if (*count == 0) co_return make_error(ErrorCode::kNetwork, "the other side closed within a frame");
    into = into.subspan(direct ? *count : take(into));
  }
  co_return Status();
}

}  // namespace strom::rpc
