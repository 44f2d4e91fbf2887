#include "format/log_batch_statistics.h"

#include "base/endian.h"

namespace strom::format {
namespace {

constexpr uint8_t kVersion = 1;

Error corrupt(std::string_view what) {
  return make_error(ErrorCode::kCorruptRecord, "corrupt batch statistics: {}", what);
}

Status check_columns(const BatchStatistics& statistics, size_t column_count) {
  for (size_t i = 0; i < statistics.columns.size(); ++i) {
    int16_t column = statistics.columns[i];
    if (column < 0 || static_cast<size_t>(column) >= column_count) {
      return corrupt(fmt::format("column {} of a schema of {}", column, column_count));
    }
    if (statistics.null_counts[i] < 0) {
      return corrupt(fmt::format("{} nulls in column {}", statistics.null_counts[i], column));
    }
  }
  return {};
}

// Takes a row with its size in front from `rest`.
Result<ByteView> take_row(ByteView& rest) {
  if (rest.size() < 4) return corrupt("no size of the minimum or maximum row");
  int64_t size = load_le<int32_t>(rest.data());
  rest = rest.subspan(4);
  if (size < 0 || static_cast<size_t>(size) > rest.size()) {
    return corrupt(fmt::format("a row of {} bytes where {} are left", size, rest.size()));
  }
  ByteView row = rest.first(static_cast<size_t>(size));
  rest = rest.subspan(row.size());
  return row;
}

}  // namespace

Result<BatchStatistics> parse_statistics(ByteView bytes, size_t column_count) {
  constexpr size_t kFixed = 3;
  if (bytes.size() < kFixed) return corrupt(fmt::format("only {} bytes", bytes.size()));
  if (bytes[0] != kVersion) return corrupt(fmt::format("version {}, expected {}", bytes[0], kVersion));
  int16_t count = load_le<int16_t>(bytes.data() + 1);
  ByteView rest = bytes.subspan(kFixed);
  if (count <= 0 || rest.size() / 6 < static_cast<size_t>(count)) {
    return corrupt(fmt::format("{} columns in {} bytes", count, bytes.size()));
  }
  BatchStatistics statistics;
  for (int16_t i = 0; i < count; ++i) statistics.columns.push_back(load_le<int16_t>(rest.data() + 2 * i));
  rest = rest.subspan(2 * static_cast<size_t>(count));
  for (int16_t i = 0; i < count; ++i) statistics.null_counts.push_back(load_le<int32_t>(rest.data() + 4 * i));
  rest = rest.subspan(4 * static_cast<size_t>(count));
  STROM_TRY(check_columns(statistics, column_count));
  statistics.min_row = STROM_TRY(take_row(rest));
  statistics.max_row = STROM_TRY(take_row(rest));
  if (!rest.empty()) return corrupt(fmt::format("{} bytes behind the maximum row", rest.size()));
  return statistics;
}

}  // namespace strom::format
