// Server-side projection: leaves only the chosen columns in a log batch of the ARROW format. Works on the
// metadata; of the body it only chooses ranges, so no record is decoded and no column copied here.
//
//   before   header [statistics] [change types] metadata | a a a | b b b b | c c |
//   {a, c}   header'             [change types] metadata'| a a a | c c |
//
// ProjectionPlan is made once per schema and choice and can be shared between threads; project_batch is pure.
// Format: docs/formats/projection.md. Upstream counterpart: record/FileLogProjection.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "format/arrow/message.h"
#include "format/log_batch.h"
#include "model/schema.h"

namespace strom::format {

class ProjectionPlan {
 public:
  // `positions` are indexes into the columns of `schema`: the schema that the batch was written with, not the
  // table's newest. kInvalidColumnProjection when they are empty, not strictly ascending, or beyond the
  // schema.
  static Result<ProjectionPlan> make(const model::Schema& schema, std::span<const int32_t> positions);

  // Neighbouring columns that are kept, as ranges of the flattened layout.
  struct Range {
    size_t first = 0;
    size_t count = 0;
  };
  const std::vector<Range>& nodes() const { return nodes_; }
  const std::vector<Range>& buffers() const { return buffers_; }
  // Nodes and buffers that a message of the schema has.
  size_t total_nodes() const { return total_nodes_; }
  size_t total_buffers() const { return total_buffers_; }

 private:
  std::vector<Range> nodes_;
  std::vector<Range> buffers_;
  size_t total_nodes_ = 0;
  size_t total_buffers_ = 0;
};

struct ProjectedBatch {
  Buffer head;                  // batch header, change types, Arrow metadata
  std::vector<ByteView> parts;  // ranges of the source batch that follow the head, in order
  size_t size = 0;              // of head and parts
};

// Projects one whole batch whose schema is that of the plan. The caller has checked its CRC: the CRC of the
// result is that of the source, hence wrong, and clients that project don't check it. Statistics are dropped.
// An empty batch keeps its header, so that readers get past its offset. Nothing if the result would be larger
// than `limit`. kCorruptRecord if the message isn't one of this schema.
Result<std::optional<ProjectedBatch>> project_batch(const LogBatchView& batch, const ProjectionPlan& plan,
                                                    size_t limit);

}  // namespace strom::format
