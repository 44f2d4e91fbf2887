// The metadata of an Arrow IPC record batch message: which columns lie where in its body.
//
//   FF FF FF FF | int32 size of the metadata | flatbuffer, padded to 8 | body
//
// No schema message precedes it; the schema is that of the log batch. Reading copes with any bytes: what
// parse_message returns has been checked against the length of the message. Pure; any thread. Format:
// docs/formats/arrow.md. Upstream counterparts: Arrow's MessageSerializer, utils/ArrowUtils.
#pragma once

#include <cstdint>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"

namespace strom::format::arrow {

enum class Compression : uint8_t { kNone, kLz4Frame, kZstd };

struct FieldNode {
  int64_t length = 0;
  int64_t null_count = 0;

  friend bool operator==(const FieldNode&, const FieldNode&) = default;
};

// A range of the body. `length` is without the padding that follows.
struct BufferRange {
  int64_t offset = 0;
  int64_t length = 0;

  friend bool operator==(const BufferRange&, const BufferRange&) = default;
};

// Nodes and buffers of all columns in the order of layout.h.
struct RecordBatchMetadata {
  int64_t record_count = 0;
  std::vector<FieldNode> nodes;
  std::vector<BufferRange> buffers;
  Compression compression = Compression::kNone;
  int64_t body_length = 0;
};

struct Message {
  RecordBatchMetadata metadata;
  ByteView body;  // metadata.body_length bytes, borrowed

  // The bytes of a buffer as they are stored, possibly compressed.
  ByteView buffer(size_t index) const {
    const BufferRange& range = metadata.buffers[index];
    return body.subspan(static_cast<size_t>(range.offset), static_cast<size_t>(range.length));
  }
};

// Reads the message at the start of `bytes`. kCorruptRecord when it is cut off, is not a record batch, or has
// a node or buffer that can't be: each buffer lies inside the body, all counts are 0 or more, no null count
// exceeds its length.
Result<Message> parse_message(ByteView bytes);

// Appends continuation mark, size and padded flatbuffer; the body follows. The same bytes as Arrow's Java
// writer. body_length must be a multiple of 8.
void append_message_head(Buffer& to, const RecordBatchMetadata& metadata);

}  // namespace strom::format::arrow
