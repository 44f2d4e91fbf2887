#include "format/projection.h"

#include <limits>

#include "base/endian.h"
#include "format/arrow/layout.h"
#include "format/log_batch_layout.h"

namespace strom::format {
namespace {

Error corrupt(std::string_view what) {
  return make_error(ErrorCode::kCorruptRecord, "can't project a corrupt Arrow batch: {}", what);
}

Status check_positions(size_t column_count, std::span<const int32_t> positions) {
  if (positions.empty()) {
    return make_error(ErrorCode::kInvalidColumnProjection,
                      "an empty projection is not supported: project at least one column");
  }
  int32_t previous = -1;
  for (int32_t position : positions) {
    if (position < 0 || static_cast<size_t>(position) >= column_count) {
      return make_error(ErrorCode::kInvalidColumnProjection,
                        "projected position {} is out of range: the schema of the batch has {} columns",
                        position, column_count);
    }
    if (position <= previous) {
      return make_error(ErrorCode::kInvalidColumnProjection,
                        "projected positions must ascend without duplicates, but {} follows {}", position,
                        previous);
    }
    previous = position;
  }
  return {};
}

void add_range(std::vector<ProjectionPlan::Range>& ranges, size_t first, size_t count) {
  if (!ranges.empty() && ranges.back().first + ranges.back().count == first) {
    ranges.back().count += count;
  } else {
    ranges.push_back({.first = first, .count = count});
  }
}

// Sizes of the body's buffers with their padding: up to where the next one starts. Fails when they don't
// ascend.
Result<std::vector<int64_t>> padded_sizes(const arrow::RecordBatchMetadata& metadata) {
  std::vector<int64_t> sizes(metadata.buffers.size());
  int64_t next = metadata.body_length;
  for (size_t i = sizes.size(); i-- > 0;) {
    const arrow::BufferRange& range = metadata.buffers[i];
    sizes[i] = next - range.offset;
    if (sizes[i] < range.length || sizes[i] % 8 != 0) {
      return corrupt(
          fmt::format("buffer {} of {} bytes at {} is followed at {}; buffers must ascend, padded to 8", i,
                      range.length, range.offset, next));
    }
    next = range.offset;
  }
  return sizes;
}

// Fills the metadata of the result and the parts of the body that it takes.
void choose_buffers(const arrow::Message& source, std::span<const int64_t> sizes, const ProjectionPlan& plan,
                    arrow::RecordBatchMetadata& metadata, ProjectedBatch& result) {
  for (ProjectionPlan::Range range : plan.buffers()) {
    int64_t start = source.metadata.buffers[range.first].offset;
    int64_t taken = 0;
    for (size_t i = range.first; i < range.first + range.count; ++i) {
      metadata.buffers.push_back(
          {.offset = metadata.body_length + taken, .length = source.metadata.buffers[i].length});
      taken += sizes[i];
    }
    metadata.body_length += taken;
    if (taken > 0) {
      result.parts.push_back(source.body.subspan(static_cast<size_t>(start), static_cast<size_t>(taken)));
    }
  }
}

// The header of `batch` for a result of `size` bytes without statistics.
void append_header(Buffer& to, const LogBatchView& batch) {
  append(to, batch.bytes().first(batch.header().header_size()));
}

void set_size(ProjectedBatch& result, LogMagic magic) {
  store_le(result.head.data() + layout::kLength, static_cast<int32_t>(result.size - kLogBatchOverhead));
  size_t statistics = layout::of(magic).statistics_size;
  if (statistics != 0) store_le(result.head.data() + statistics, int32_t{0});
}

Result<ProjectedBatch> project_message(const LogBatchView& batch, const ProjectionPlan& plan) {
  ArrowRecords records = STROM_TRY(batch.arrow_records());
  arrow::Message message = STROM_TRY(arrow::parse_message(records.message));
  if (message.metadata.nodes.size() != plan.total_nodes() ||
      message.metadata.buffers.size() != plan.total_buffers()) {
    return corrupt(fmt::format("{} nodes and {} buffers, but schema {} takes {} and {}",
                               message.metadata.nodes.size(), message.metadata.buffers.size(), batch.schema(),
                               plan.total_nodes(), plan.total_buffers()));
  }
  std::vector<int64_t> sizes = STROM_TRY(padded_sizes(message.metadata));
  arrow::RecordBatchMetadata metadata{.record_count = message.metadata.record_count,
                                      .compression = message.metadata.compression};
  for (ProjectionPlan::Range range : plan.nodes()) {
    auto first = message.metadata.nodes.begin() + static_cast<ptrdiff_t>(range.first);
    metadata.nodes.insert(metadata.nodes.end(), first, first + static_cast<ptrdiff_t>(range.count));
  }
  ProjectedBatch result;
  choose_buffers(message, sizes, plan, metadata, result);
  append_header(result.head, batch);
  append(result.head, records.change_types);
  arrow::append_message_head(result.head, metadata);
  result.size = result.head.size() + static_cast<size_t>(metadata.body_length);
  return result;
}

}  // namespace

Result<ProjectionPlan> ProjectionPlan::make(const model::Schema& schema, std::span<const int32_t> positions) {
  STROM_TRY(check_positions(schema.columns().size(), positions));
  ProjectionPlan plan;
  auto next = positions.begin();
  for (size_t i = 0; i < schema.columns().size(); ++i) {
    arrow::Layout column = arrow::layout_of(schema.columns()[i].type);
    if (next != positions.end() && static_cast<size_t>(*next) == i) {
      add_range(plan.nodes_, plan.total_nodes_, column.nodes);
      add_range(plan.buffers_, plan.total_buffers_, column.buffers);
      ++next;
    }
    plan.total_nodes_ += column.nodes;
    plan.total_buffers_ += column.buffers;
  }
  return plan;
}

Result<std::optional<ProjectedBatch>> project_batch(const LogBatchView& batch, const ProjectionPlan& plan,
                                                    size_t limit) {
  ProjectedBatch result;
  if (batch.header().is_empty()) {
    append_header(result.head, batch);
    result.size = result.head.size();
  } else {
    result = STROM_TRY(project_message(batch, plan));
  }
  if (result.size > limit) return std::optional<ProjectedBatch>();
  if (result.size > size_t{std::numeric_limits<int32_t>::max()}) {
    return corrupt(fmt::format("the result would have {} bytes", result.size));
  }
  set_size(result, batch.magic());
  return std::optional<ProjectedBatch>(std::move(result));
}

}  // namespace strom::format
