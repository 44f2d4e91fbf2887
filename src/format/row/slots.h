// Slots: the 8-byte cells of ALIGNED rows and of arrays, and the variable part behind them. A slot holds a
// scalar, up to seven bytes inline, or where in the variable part the value lies. For row/ only. Any thread.
// Format: docs/formats/row-aligned.md. Upstream counterpart: row/AbstractBinaryWriter,
// row/BinarySegmentUtils.
//
//   inline    [ up to 7 bytes of data, zeros | 0x80 + length ]
//   variable  [ i32 size | i32 offset ]            timestamp  [ i32 nanos | i32 offset of the i64
//   milliseconds ]
#pragma once

#include <cstddef>

#include "format/row/row_codec.h"

namespace strom::format {

// Writes a value that is not null and no scalar into the slot at `slot` of `to`, whose first byte is offset
// 0; what does not fit is appended to `to`, padded to 8 bytes.
Status write_slot(Buffer& to, size_t slot, RowFormat container, const model::DataType& type,
                  const Value& value);

// Reads slots of hostile bytes. Writers append to the variable part in the order of the slots, and the reader
// insists on it: if slots could share bytes, a small input could describe an exponentially large value.
class SlotReader {
 public:
  // `fixed_size` is where the variable part starts.
  SlotReader(ByteView bytes, size_t fixed_size, RowFormat container)
      : bytes_(bytes), next_(fixed_size), container_(container) {}

  // `slot` + 8 is within the bytes; slots are read in ascending order, each once.
  Result<Value> read(size_t slot, const model::DataType& type);

 private:
  Result<ByteView> variable(size_t offset, size_t size);

  ByteView bytes_;
  size_t next_;  // the variable part before it has been used
  RowFormat container_;
};

}  // namespace strom::format
