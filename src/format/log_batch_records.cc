#include "format/log_batch_records.h"

#include "base/endian.h"

namespace strom::format {
namespace {

constexpr size_t kLengthSize = 4;
constexpr uint8_t kChangeTypeMask = 0x0f;

Error corrupt(std::string_view what) {
  return make_error(ErrorCode::kCorruptRecord, "corrupt records in a batch of a row format: {}", what);
}

}  // namespace

void append_row_record(Buffer& to, ChangeType change, ByteView row) {
  size_t start = to.size();
  to.resize(start + kLengthSize);
  store_le(to.data() + start, static_cast<int32_t>(1 + row.size()));
  to.push_back(static_cast<uint8_t>(change));
  append(to, row);
}

Result<bool> RowRecordIterator::next() {
  if (left_ <= 0) {
    if (!rest_.empty()) return corrupt(fmt::format("{} bytes behind the last record", rest_.size()));
    return false;
  }
  if (rest_.size() < kLengthSize) return corrupt(fmt::format("{} records are missing", left_));
  int64_t length = load_le<int32_t>(rest_.data());
  size_t available = rest_.size() - kLengthSize;
  if (length < 1 || static_cast<size_t>(length) > available) {
    return corrupt(fmt::format("a record of {} bytes where {} are left", length, available));
  }
  ByteView body = rest_.subspan(kLengthSize, static_cast<size_t>(length));
  std::optional<ChangeType> change = change_type_of(body[0] & kChangeTypeMask);
  if (!change) return corrupt(fmt::format("change type {} is unknown", body[0] & kChangeTypeMask));
  record_ = RowRecord{.change = *change, .row = body.subspan(1)};
  rest_ = rest_.subspan(kLengthSize + body.size());
  --left_;
  return true;
}

}  // namespace strom::format
