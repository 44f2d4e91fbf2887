// Reading a segment: finds the batch that contains an offset, and reads whole batches from there with one
// read. Functions on values: on the shard with SegmentIo::Mode::kCached, else on a worker. Upstream
// counterparts: server/log/LogSegment (read, translateOffset), record/FileLogRecords.
#pragma once

#include "log/segment.h"

namespace strom::log {

struct ReadRequest {
  model::Offset from;
  model::Offset upper_bound;  // exclusive, e.g. the high watermark; batches that reach behind it are left out
  size_t max_bytes = 1 << 20;
  bool at_least_one_batch = true;  // the first batch is read even when it is larger than max_bytes
  bool check_crc = false;
};

struct ReadResult {
  Slice records;              // whole batches, perhaps none
  model::Offset base_offset;  // of the first batch; at most `from`
  model::Offset next_offset;  // where the next read begins; `from` when there are no records
};

// A place where a batch starts.
struct BatchPosition {
  model::Offset offset;
  uint64_t position = 0;
};

struct SegmentRead {
  ReadResult result;
  uint64_t end_position = 0;  // behind the last batch of the result
};

// Steps through the headers of a segment's batches, without reading the bodies. An error when a header is
// none or does not continue where the one before ended.
class HeaderWalk {
 public:
  // `at` must be the start of a batch.
  HeaderWalk(SegmentIo& io, const SegmentView& segment, BatchPosition at)
      : io_(io), segment_(segment), next_(at) {}
  // Moves to the next batch; false at the end of the segment.
  Result<bool> next();
  const format::LogBatchHeader& header() const { return header_; }
  uint64_t position() const { return position_; }
  BatchPosition end() const { return next_; }

 private:
  SegmentIo& io_;
  const SegmentView& segment_;
  BatchPosition next_;
  uint64_t position_ = 0;
  format::LogBatchHeader header_;
};

// The batch that contains `offset`, which is in [segment.base, segment.end).
Result<BatchPosition> locate(SegmentIo& io, const SegmentView& segment, model::Offset offset);
// `request.from` is in the segment. `start`: where its batch starts, if that is known.
Result<SegmentRead> read_segment(SegmentIo& io, const SegmentView& segment, const ReadRequest& request,
                                 std::optional<BatchPosition> start);
// Base offset of the first batch with at least that timestamp.
Result<std::optional<model::Offset>> find_timestamp(SegmentIo& io, const SegmentView& segment,
                                                    model::Timestamp timestamp);

}  // namespace strom::log
