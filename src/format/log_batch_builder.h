// LogBatchBuilder: makes a log record batch: header, statistics, records, CRC. Used by the C++ client, the
// changelog and tests; the path of a produced batch only stamps what the client built. Any thread. Format:
// docs/formats/log-batch.md. Upstream counterparts: record/MemoryLogRecords{Row,Arrow}Builder.
#pragma once

#include <span>

#include "base/bytes.h"
#include "format/change_type.h"
#include "format/log_batch.h"

namespace strom::format {

// The header fields that the records don't tell. The defaults are what a client sends that isn't idempotent.
struct LogBatchSpec {
  LogMagic magic = LogMagic::kV0;
  model::SchemaId schema{1};
  bool append_only = true;
  model::WriterId writer = model::kNoWriter;
  model::BatchSequence sequence = model::kNoSequence;
  model::Offset base_offset{0};
  model::Timestamp commit_timestamp{0};
  model::LeaderEpoch leader_epoch{-1};  // magic 2 only
  Buffer statistics;                    // magic 1 and 2 only
};

class LogBatchBuilder {
 public:
  explicit LogBatchBuilder(LogBatchSpec spec);

  // INDEXED and COMPACTED: one record. `row` is the encoded row.
  void add_row(ChangeType change, ByteView row);
  // ARROW: all records at once. `changes` holds one change type per record, or nothing when append-only.
  void set_arrow(std::span<const ChangeType> changes, ByteView message, int32_t record_count);

  int32_t record_count() const { return record_count_; }
  // Size of the batch if it were finished now.
  size_t size() const { return bytes_.size(); }

  // Without records it makes an empty batch, which takes one offset.
  Buffer finish() &&;

 private:
  LogBatchSpec spec_;
  Buffer bytes_;  // header (written by finish), statistics, records so far
  int32_t record_count_ = 0;
};

}  // namespace strom::format
