// The reading half of Replica: fetches, offsets by time, the last records.
#include <algorithm>

#include "replica/replica.h"

namespace strom::replica {

using async::Task;
using model::Offset;

namespace {

// A scan of the last records is one answer: it can't be larger than this.
constexpr size_t kMaxScanBytes = 256 << 20;
constexpr size_t kScanReadBytes = 4 << 20;

Error no_projection(const model::TableBucket& bucket, std::string_view format) {
  return make_error(ErrorCode::kInvalidColumnProjection,
                    "bucket {}: columns can be chosen in the ARROW log format only; the table's format is {}",
                    bucket, format);
}

}  // namespace

Task<Result<FetchAnswer>> Replica::fetch(FetchSpec spec) {
  auto self = shared_from_this();
  STROM_CO_TRY(check_leads());
  if (spec.project && table_->options.log_format != model::LogFormat::kArrow) {
    co_return no_projection(bucket(), model::to_string(table_->options.log_format));
  }
  if (spec.project && spec.projection.empty()) {
    co_return make_error(ErrorCode::kInvalidColumnProjection, "bucket {}: the projection has no columns",
                         bucket());
  }
  const Offset watermark = high_watermark_;
  if (spec.from < log_->start_offset() || spec.from > log_->end_offset()) {
    co_return make_error(ErrorCode::kLogOffsetOutOfRange,
                         "bucket {} has offsets {} to {}; {} is not among them", bucket(),
                         log_->start_offset(), log_->end_offset(), spec.from);
  }
  FetchAnswer answer{watermark, {}};
  if (spec.from >= watermark || (spec.max_bytes == 0 && !spec.at_least_one_batch)) co_return answer;
  auto read = co_await log_->read({.from = spec.from,
                                   .upper_bound = watermark,
                                   .max_bytes = spec.max_bytes,
                                   .at_least_one_batch = spec.at_least_one_batch,
                                   .check_crc = spec.project});
  if (!read.ok()) co_return std::move(read).error();
  if (spec.project) {
    answer.records = STROM_CO_TRY(co_await project(std::move(read->records), spec));
  } else {
    answer.records = rpc::Payload(std::move(read->records));
  }
  co_return answer;
}

Task<Result<rpc::Payload>> Replica::project(Slice records, const FetchSpec& spec) {
  rpc::Payload projected;
  format::LogBatchIterator batches(records.view(), format::PartialTail::kError);
  while (STROM_CO_TRY(batches.next())) {
    const format::LogBatchView& batch = batches.batch();
    auto plan = STROM_CO_TRY(co_await schemas_->projection(batch.schema(), spec.projection));
    auto made = STROM_CO_TRY(format::project_batch(batch, *plan, SIZE_MAX));
    projected.add(Slice::own(std::move(made->head)));
    for (ByteView part : made->parts) projected.add(Slice(records.owner(), part));
  }
  co_return projected;
}

Task<Result<Offset>> Replica::offset_at(model::Timestamp timestamp, model::Timestamp now) {
  auto self = shared_from_this();
  if (timestamp > now) {
    co_return make_error(ErrorCode::kInvalidTimestamp, "the timestamp {} is in the future: it is {} now",
                         timestamp, now);
  }
  auto found = co_await log_->offset_for_timestamp(timestamp);
  if (!found.ok()) co_return std::move(found).error();
  co_return std::min(found->value_or(high_watermark_), high_watermark_);
}

Task<Result<rpc::Payload>> Replica::last_records(int64_t limit) {
  auto self = shared_from_this();
  STROM_CO_TRY(check_leads());
  if (limit < 0) {
    co_return make_error(ErrorCode::kLogOffsetOutOfRange, "bucket {}: the limit is {}, expected 0 or more",
                         bucket(), limit);
  }
  const Offset end = high_watermark_;
  Offset from = std::max(log_->start_offset(), end - limit);
  rpc::Payload records;
  while (from < end) {
    auto read = co_await log_->read({.from = from, .upper_bound = end, .max_bytes = kScanReadBytes});
    if (!read.ok()) co_return std::move(read).error();
    if (read->records.empty()) break;
    from = read->next_offset;
    records.add(std::move(read->records));
    if (records.size() > kMaxScanBytes) {
      co_return make_error(
          ErrorCode::kUnknownServerError,
          "the last {} records of bucket {} have more than {} bytes; ask for fewer, or scan the log", limit,
          bucket(), kMaxScanBytes);
    }
  }
  co_return records;
}

}  // namespace strom::replica
