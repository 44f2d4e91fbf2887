// Records of the row formats (INDEXED, COMPACTED) inside a log batch: length, attributes, opaque row bytes.
// What the row bytes mean is the business of row/. Any thread. Format: docs/formats/log-batch.md. Upstream
// counterparts: record/{IndexedLogRecord,CompactedLogRecord}.
#pragma once

#include "base/bytes.h"
#include "base/result.h"
#include "format/change_type.h"

namespace strom::format {

struct RowRecord {
  ChangeType change = ChangeType::kAppendOnly;
  ByteView row;
};

void append_row_record(Buffer& to, ChangeType change, ByteView row);

// Steps through LogBatchView::records() of a batch of a row format.
class RowRecordIterator {
 public:
  RowRecordIterator(ByteView records, int32_t record_count) : rest_(records), left_(record_count) {}

  // Moves to the next record; false after the last. kCorruptRecord: a record that ends behind the batch, an
  // unknown change type, or bytes behind the last record.
  Result<bool> next();
  const RowRecord& record() const { return record_; }

 private:
  ByteView rest_;
  int32_t left_;
  RowRecord record_;
};

}  // namespace strom::format
