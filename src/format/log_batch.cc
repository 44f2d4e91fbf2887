#include "format/log_batch.h"

#include <limits>

#include "base/crc32c.h"
#include "base/endian.h"
#include "format/log_batch_layout.h"

namespace strom::format {
namespace {

Error corrupt(std::string_view what) {
  return make_error(ErrorCode::kCorruptRecord, "corrupt record batch: {}", what);
}

Error cut_off(size_t expected, size_t found) {
  return make_error(ErrorCode::kCorruptMessage, "record batch is cut off: expected {} bytes, found {}",
                    expected, found);
}

Status check_counts(const LogBatchHeader& header) {
  if (header.last_offset_delta < 0 || header.record_count < 0) {
    return corrupt(fmt::format("last offset delta {} and record count {} must not be negative",
                               header.last_offset_delta, header.record_count));
  }
  bool empty = header.record_count == 0 && header.last_offset_delta == 0;
  if (!empty && header.record_count != int64_t{header.last_offset_delta} + 1) {
    return corrupt(fmt::format("{} records, but a last offset delta of {}", header.record_count,
                               header.last_offset_delta));
  }
  // The next offset must be a number, too.
  int64_t base = header.base_offset.value;
  if (base < 0 || base > std::numeric_limits<int64_t>::max() - header.record_count - 1) {
    return corrupt(fmt::format("base offset {} is out of range", base));
  }
  return {};
}

// Size of the batch that starts with these bytes (at least kLogBatchOverhead), before anything else is known
// of it.
int64_t declared_size(ByteView bytes) {
  return int64_t{load_le<int32_t>(bytes.data() + layout::kLength)} + int64_t{kLogBatchOverhead};
}

}  // namespace

size_t log_batch_header_size(LogMagic magic) { return layout::of(magic).header_size; }

Result<LogBatchHeader> LogBatchHeader::parse(ByteView bytes) {
  if (bytes.size() <= layout::kMagic) return cut_off(kMinLogBatchHeaderSize, bytes.size());
  const uint8_t* at = bytes.data();
  if (at[layout::kMagic] > static_cast<uint8_t>(LogMagic::kV2)) {
    return corrupt(fmt::format("unknown magic {}, known are 0 to 2", at[layout::kMagic]));
  }
  LogBatchHeader header;
  header.magic = static_cast<LogMagic>(at[layout::kMagic]);
  const layout::Fields& fields = layout::of(header.magic);
  int64_t size = declared_size(bytes);
  if (size < static_cast<int64_t>(fields.header_size)) {
    return corrupt(fmt::format("its size is {}, less than its header of {}", size, fields.header_size));
  }
  if (bytes.size() < fields.header_size) return cut_off(fields.header_size, bytes.size());

  header.size = static_cast<size_t>(size);
  header.base_offset = model::Offset(load_le<int64_t>(at + layout::kBaseOffset));
  header.commit_timestamp = model::Timestamp(load_le<int64_t>(at + layout::kCommitTimestamp));
  if (fields.leader_epoch != 0)
    header.leader_epoch = model::LeaderEpoch(load_le<int32_t>(at + fields.leader_epoch));
  header.crc = load_le<uint32_t>(at + fields.crc);
  header.schema = model::SchemaId(load_le<int16_t>(at + fields.schema));
  header.attributes = at[fields.attributes];
  header.last_offset_delta = load_le<int32_t>(at + fields.last_offset_delta);
  header.writer = model::WriterId(load_le<int64_t>(at + fields.writer));
  header.sequence = model::BatchSequence(load_le<int32_t>(at + fields.sequence));
  header.record_count = load_le<int32_t>(at + fields.record_count);
  if (fields.statistics_size != 0) {
    int32_t statistics = load_le<int32_t>(at + fields.statistics_size);
    if (statistics < 0 || static_cast<size_t>(statistics) > header.size - fields.header_size) {
      return corrupt(fmt::format("{} bytes of statistics in a batch of {}", statistics, size));
    }
    header.statistics_size = static_cast<size_t>(statistics);
  }
  STROM_TRY(check_counts(header));
  return header;
}

Result<LogBatchView> LogBatchView::parse(ByteView bytes) {
  LogBatchHeader header = STROM_TRY(LogBatchHeader::parse(bytes));
  if (bytes.size() < header.size) return cut_off(header.size, bytes.size());
  return LogBatchView(header, bytes.first(header.size));
}

uint32_t LogBatchView::computed_crc() const { return crc32c(bytes_.subspan(layout::of(magic()).schema)); }

Status LogBatchView::check_crc() const {
  uint32_t computed = computed_crc();
  if (computed == header_.crc) return {};
  return corrupt(fmt::format("its CRC is {:08x}, that of its bytes is {:08x}", header_.crc, computed));
}

Result<ArrowRecords> LogBatchView::arrow_records() const {
  ByteView all = records();
  size_t count = append_only() ? 0 : static_cast<size_t>(record_count());
  if (count > all.size()) {
    return corrupt(fmt::format("{} change types in {} bytes of records", count, all.size()));
  }
  return ArrowRecords{.change_types = all.first(count), .message = all.subspan(count)};
}

bool is_complete_log_batch(ByteView bytes) {
  if (bytes.size() < kLogBatchOverhead) return false;
  int64_t size = declared_size(bytes);
  if (size < static_cast<int64_t>(kMinLogBatchHeaderSize)) return true;
  return bytes.size() >= static_cast<size_t>(size);
}

void stamp(MutableBytes batch, model::Offset base, model::Timestamp commit) {
  STROM_CHECK(batch.size() >= kMinLogBatchHeaderSize, "stamping {} bytes, which are no batch", batch.size());
  store_le(batch.data() + layout::kBaseOffset, base.value);
  store_le(batch.data() + layout::kCommitTimestamp, commit.value);
}

Result<bool> LogBatchIterator::next() {
  size_t start = batch_ ? position_ + batch_->size() : position_;
  ByteView rest = bytes_.subspan(start);
  bool at_end = rest.empty() || (tail_ == PartialTail::kAllowed && !is_complete_log_batch(rest));
  if (!at_end) {
    LogBatchView parsed = STROM_TRY(LogBatchView::parse(rest));
    batch_ = parsed;
  } else {
    batch_.reset();
  }
  position_ = start;
  return !at_end;
}

}  // namespace strom::format
