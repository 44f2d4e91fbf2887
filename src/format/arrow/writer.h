// ArrowWriter: collects rows of Values column by column and writes them as one Arrow record batch message,
// with the bytes that Fluss's Java client would write (compressed bytes depend on the codec's version). For
// the C++ client, the changelog and tests. Not shared between threads. Format: docs/formats/arrow.md.
// Upstream counterpart: row/arrow/ArrowWriter.
#pragma once

#include <cstdint>
#include <memory>

#include "base/bytes.h"
#include "base/result.h"
#include "format/arrow/codec.h"
#include "format/row/value.h"
#include "model/data_type.h"

namespace strom::format::arrow {

struct WriterOptions {
  Compression compression = Compression::kNone;
  int zstd_level = kDefaultZstdLevel;  // -7 to 22
};

class ArrowWriter {
 public:
  // `row_type` is a ROW (model::Schema::row_type()).
  explicit ArrowWriter(model::DataType row_type, WriterOptions options = {});
  ~ArrowWriter();
  ArrowWriter(ArrowWriter&&) noexcept;
  ArrowWriter& operator=(ArrowWriter&&) noexcept;

  // Adds a row, or nothing: kCorruptRecord names the field whose value is not of its type, is null although
  // the type is NOT NULL, or can't be held in an Arrow batch; kRecordTooLarge when the batch would exceed 1
  // GiB.
  Status add(const RowValue& row);

  int32_t record_count() const;
  // Bytes of the values so far, before compression and padding: what a batch size limit compares with.
  size_t value_bytes() const { return value_bytes_; }

  // The message of all rows; the writer is empty then and can be used again. No bytes when there are no rows.
  Buffer finish();

 private:
  struct Column;
  model::DataType row_type_;
  WriterOptions options_;
  std::unique_ptr<Column> root_;  // a ROW column without a node of its own
  size_t value_bytes_ = 0;
};

}  // namespace strom::format::arrow
