// Log record batches: the unit of a bucket's log, of ProduceLog and of FetchLog. A segment file and a
// `records` field are plain concatenations of them.
//   LogBatchHeader   the fixed fields, read from the first bytes alone (scanning a file without reading the
//   bodies) LogBatchView     a whole batch in borrowed memory
// Pure; any thread. Nothing here decodes a record.
// Format: docs/formats/log-batch.md. Upstream counterpart:
// record/{LogRecordBatchFormat,DefaultLogRecordBatch}.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/bytes.h"
#include "base/result.h"
#include "model/ids.h"

namespace strom::format {

// Bytes before what the Length field counts: base offset and the length itself.
inline constexpr size_t kLogBatchOverhead = 12;
// Header sizes (without statistics) of magic 0, and of magic 2, the largest. A reader that fetches
// kMaxLogBatchHeaderSize bytes, or what the file still has, can parse the header of every batch.
inline constexpr size_t kMinLogBatchHeaderSize = 48;
inline constexpr size_t kMaxLogBatchHeaderSize = 56;

// Magic 1 adds statistics, magic 2 a leader epoch. Shipped clients write 0, or 1 when the table collects
// statistics.
enum class LogMagic : uint8_t { kV0 = 0, kV1 = 1, kV2 = 2 };

// Size of the header without statistics: 48, 52 or 56.
size_t log_batch_header_size(LogMagic magic);

struct LogBatchHeader {
  model::Offset base_offset;
  size_t size = 0;  // of the whole batch, kLogBatchOverhead included
  LogMagic magic = LogMagic::kV0;
  model::Timestamp commit_timestamp;
  model::LeaderEpoch leader_epoch{-1};  // -1 below magic 2
  uint32_t crc = 0;
  model::SchemaId schema;
  uint8_t attributes = 0;  // bit 0: append-only
  int32_t last_offset_delta = 0;
  model::WriterId writer = model::kNoWriter;
  model::BatchSequence sequence = model::kNoSequence;
  int32_t record_count = 0;
  size_t statistics_size = 0;  // 0 below magic 1

  // Reads the header at the start of `bytes`, of which the body may be missing. Never reads behind `bytes`.
  // kCorruptMessage: `bytes` end inside the header. kCorruptRecord: the header contradicts itself or the
  // format (unknown magic; a size that can't hold header and statistics; negative counts or base offset; a
  // record count that is neither last offset delta + 1 nor, for an empty batch, 0).
  static Result<LogBatchHeader> parse(ByteView bytes);

  size_t header_size() const { return log_batch_header_size(magic); }
  size_t records_start() const { return header_size() + statistics_size; }
  model::Offset last_offset() const { return base_offset + last_offset_delta; }
  // Where the next batch starts. An empty batch takes one offset, too: advance by this, never by
  // record_count.
  model::Offset next_offset() const { return last_offset().next(); }
  bool append_only() const { return (attributes & 1) != 0; }
  bool has_writer() const { return writer.value >= 0; }
  // A batch without records, written for a put that changed nothing, so that the writer's sequence advances.
  bool is_empty() const { return record_count == 0; }
};

// The parts of the records section of a batch of the ARROW log format.
struct ArrowRecords {
  ByteView change_types;  // one byte per record; empty when the batch is append-only
  ByteView message;       // one encapsulated Arrow IPC message, see arrow/message.h
};

// A whole batch in borrowed memory, which must outlive the view. The header fields are those of the time of
// parsing: parse again after stamp().
class LogBatchView {
 public:
  // The batch at the start of `bytes`; more may follow it. Fails as LogBatchHeader::parse does, and with
  // kCorruptMessage when `bytes` end before the batch does. Does not check the CRC.
  static Result<LogBatchView> parse(ByteView bytes);

  const LogBatchHeader& header() const { return header_; }
  ByteView bytes() const { return bytes_; }
  size_t size() const { return bytes_.size(); }

  LogMagic magic() const { return header_.magic; }
  model::Offset base_offset() const { return header_.base_offset; }
  model::Offset last_offset() const { return header_.last_offset(); }
  model::Offset next_offset() const { return header_.next_offset(); }
  model::Timestamp commit_timestamp() const { return header_.commit_timestamp; }
  model::SchemaId schema() const { return header_.schema; }
  model::WriterId writer() const { return header_.writer; }
  model::BatchSequence sequence() const { return header_.sequence; }
  int32_t record_count() const { return header_.record_count; }
  bool append_only() const { return header_.append_only(); }

  uint32_t computed_crc() const;
  bool crc_ok() const { return header_.crc == computed_crc(); }
  // kCorruptRecord with both checksums when they differ. Batches from a projected fetch always differ.
  Status check_crc() const;

  // Empty when the batch has none. Read them with parse_statistics().
  ByteView statistics() const { return bytes_.subspan(header_.header_size(), header_.statistics_size); }
  ByteView records() const { return bytes_.subspan(header_.records_start()); }
  // Splits records() as the ARROW format does (the format is a property of the table, not of the batch).
  // kCorruptRecord when the records are shorter than the change types.
  Result<ArrowRecords> arrow_records() const;

 private:
  LogBatchView(LogBatchHeader header, ByteView bytes) : header_(header), bytes_(bytes) {}
  LogBatchHeader header_;
  ByteView bytes_;
};

// True when `bytes` start with a whole batch or with something that is none, false when they end inside one:
// then more bytes are needed before parse() can tell.
bool is_complete_log_batch(ByteView bytes);

// Writes base offset and commit timestamp into the batch at the start of `batch`: all that the leader
// changes. The CRC doesn't cover them. `batch` has been parsed before.
void stamp(MutableBytes batch, model::Offset base, model::Timestamp commit);

// Steps through concatenated batches. What to do with a last batch that is cut off is the caller's choice: a
// fetched range may end in one, a produced one may not.
enum class PartialTail { kAllowed, kError };

class LogBatchIterator {
 public:
  LogBatchIterator(ByteView bytes, PartialTail tail) : bytes_(bytes), tail_(tail) {}

  // Moves to the next batch. False at the end, and at a partial tail if that is allowed. After an error the
  // iterator stays where it is.
  Result<bool> next();
  // The batch that next() moved to.
  const LogBatchView& batch() const { return *batch_; }
  // Where batch() starts; after the end, how many bytes whole batches took.
  size_t position() const { return position_; }

 private:
  ByteView bytes_;
  PartialTail tail_;
  size_t position_ = 0;
  std::optional<LogBatchView> batch_;
};

}  // namespace strom::format
