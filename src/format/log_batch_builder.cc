#include "format/log_batch_builder.h"

#include <limits>

#include "base/crc32c.h"
#include "base/endian.h"
#include "format/log_batch_layout.h"
#include "format/log_batch_records.h"

namespace strom::format {

LogBatchBuilder::LogBatchBuilder(LogBatchSpec spec)
    : spec_(std::move(spec)), bytes_(layout::of(spec_.magic).header_size) {
  STROM_CHECK(spec_.statistics.empty() || spec_.magic != LogMagic::kV0, "magic 0 has no statistics");
  append(bytes_, spec_.statistics);
}

void LogBatchBuilder::add_row(ChangeType change, ByteView row) {
  append_row_record(bytes_, change, row);
  ++record_count_;
}

void LogBatchBuilder::set_arrow(std::span<const ChangeType> changes, ByteView message, int32_t record_count) {
  STROM_CHECK(record_count_ == 0, "an ARROW batch holds one message");
  size_t expected = spec_.append_only ? 0 : static_cast<size_t>(record_count);
  STROM_CHECK(changes.size() == expected, "expected {} change types, got {}", expected, changes.size());
  for (ChangeType change : changes) bytes_.push_back(static_cast<uint8_t>(change));
  append(bytes_, message);
  record_count_ = record_count;
}

Buffer LogBatchBuilder::finish() && {
  size_t length = bytes_.size() - kLogBatchOverhead;
  STROM_CHECK(length <= size_t{std::numeric_limits<int32_t>::max()}, "a batch of {} bytes", bytes_.size());
  const layout::Fields& fields = layout::of(spec_.magic);
  uint8_t* at = bytes_.data();
  store_le(at + layout::kBaseOffset, spec_.base_offset.value);
  store_le(at + layout::kLength, static_cast<int32_t>(length));
  at[layout::kMagic] = static_cast<uint8_t>(spec_.magic);
  store_le(at + layout::kCommitTimestamp, spec_.commit_timestamp.value);
  if (fields.leader_epoch != 0) store_le(at + fields.leader_epoch, spec_.leader_epoch.value);
  store_le(at + fields.schema, static_cast<int16_t>(spec_.schema.value));
  at[fields.attributes] = spec_.append_only ? 1 : 0;
  store_le(at + fields.last_offset_delta, record_count_ == 0 ? 0 : record_count_ - 1);
  store_le(at + fields.writer, spec_.writer.value);
  store_le(at + fields.sequence, spec_.sequence.value);
  store_le(at + fields.record_count, record_count_);
  if (fields.statistics_size != 0) {
    store_le(at + fields.statistics_size, static_cast<int32_t>(spec_.statistics.size()));
  }
  store_le(at + fields.crc, crc32c(ByteView(bytes_).subspan(fields.schema)));
  return std::move(bytes_);
}

}  // namespace strom::format
