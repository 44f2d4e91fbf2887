// KV record batches (the `records` of PutKv: what clients upsert and delete) and value batches (the answer of
// a scan over a primary-key table). Pure; any thread. Rows stay encoded bytes: which format they have is a
// property of the table. Format: docs/formats/kv-batch.md. Upstream counterpart:
// record/{DefaultKvRecordBatch,KvRecordBatchBuilder, DefaultValueRecordBatch}.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "model/ids.h"

namespace strom::format {

inline constexpr size_t kKvBatchHeaderSize = 28;
inline constexpr size_t kValueBatchHeaderSize = 9;

struct KvRecord {
  ByteView key;
  ByteView row;  // empty: the key is deleted (an encoded row has at least one byte)

  bool is_delete() const { return row.empty(); }
};

// A batch in borrowed memory, which must outlive the view and the records taken from it.
class KvBatchView {
 public:
  // The batch at the start of `bytes`; more may follow it (see size()). kCorruptMessage: `bytes` end before
  // the batch. kCorruptRecord: the header contradicts itself or the format. Does not check the CRC.
  static Result<KvBatchView> parse(ByteView bytes);

  size_t size() const { return bytes_.size(); }
  model::SchemaId schema() const { return schema_; }
  model::WriterId writer() const { return writer_; }
  model::BatchSequence sequence() const { return sequence_; }
  int32_t record_count() const { return record_count_; }

  uint32_t crc() const;
  uint32_t computed_crc() const;
  // kCorruptRecord with both checksums when they differ.
  Status check_crc() const;

  // All records. kCorruptRecord when one crosses the end, or bytes are left over. Takes memory for no more
  // records than the bytes can hold, whatever the header says.
  Result<std::vector<KvRecord>> records() const;

 private:
  ByteView bytes_;
  model::SchemaId schema_;
  model::WriterId writer_;
  model::BatchSequence sequence_;
  int32_t record_count_ = 0;
};

class KvBatchBuilder {
 public:
  struct Options {
    model::SchemaId schema;
    model::WriterId writer = model::kNoWriter;
    model::BatchSequence sequence = model::kNoSequence;
  };
  explicit KvBatchBuilder(const Options& options);

  // `row` encoded in the table's row format with all columns of the schema; not empty.
  void put(ByteView key, ByteView row);
  void remove(ByteView key);
  size_t size() const { return bytes_.size(); }
  // The batch with length, count and CRC. The builder is used up.
  Buffer finish() &&;

 private:
  Buffer bytes_;
  int32_t record_count_ = 0;
};

// One value as it is stored under a key: the schema that the row was written with, and the row.
struct KvValue {
  model::SchemaId schema;
  ByteView row;

  // Reads `i16 schema id | row`. kCorruptRecord when shorter than the schema id.
  static Result<KvValue> parse(ByteView bytes);
  Buffer encode() const;
};

// Builds the answer of LIMIT_SCAN and SCAN_KV.
class ValueBatchBuilder {
 public:
  ValueBatchBuilder();
  // `value` as it is stored: KvValue::encode().
  void add(ByteView value);
  size_t size() const { return bytes_.size(); }
  int32_t record_count() const { return record_count_; }
  Buffer finish() &&;

 private:
  Buffer bytes_;
  int32_t record_count_ = 0;
};

// The values of the batch at the start of `bytes`, as views into it; no more bytes may follow. Errors as
// KvBatchView.
Result<std::vector<KvValue>> parse_value_batch(ByteView bytes);

}  // namespace strom::format
