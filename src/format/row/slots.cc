#include "format/row/slots.h"

#include <algorithm>

#include "base/endian.h"
#include "format/row/byte_reader.h"
#include "format/row/payload.h"
#include "format/row/scalar.h"

namespace strom::format {

using model::DataType;
using model::TypeRoot;

namespace {

constexpr size_t kWord = 8;
constexpr size_t kMaxInline = 7;
constexpr size_t kDecimalSize = 16;  // room for every large decimal
constexpr uint8_t kInlineMark = 0x80;

bool may_be_inline(const DataType& type) {
  return type.root == TypeRoot::kChar || type.root == TypeRoot::kString || type.root == TypeRoot::kBinary ||
         type.root == TypeRoot::kBytes;
}
bool is_timestamp(const DataType& type) {
  return type.root == TypeRoot::kTimestamp || type.root == TypeRoot::kTimestampLtz;
}

void store_reference(Buffer& to, size_t slot, size_t offset, size_t low) {
  store_le(to.data() + slot, static_cast<uint64_t>(offset) << 32 | static_cast<uint32_t>(low));
}

size_t round_up(size_t size) { return (size + kWord - 1) / kWord * kWord; }

}  // namespace

Status write_slot(Buffer& to, size_t slot, RowFormat container, const DataType& type, const Value& value) {
  const size_t offset = to.size();
  if (is_timestamp(type)) {
    const Timestamp timestamp = STROM_TRY(expect_timestamp(type, value));
    put_fixed(to, timestamp.millis);
    store_reference(to, slot, offset, static_cast<size_t>(timestamp.nanos_of_milli));
    return {};
  }
  const Buffer payload = STROM_TRY(encode_payload(container, type, value));
  if (may_be_inline(type) && payload.size() <= kMaxInline) {
    std::copy(payload.begin(), payload.end(), to.begin() + static_cast<ptrdiff_t>(slot));
    to[slot + kMaxInline] = static_cast<uint8_t>(kInlineMark | payload.size());
    return {};
  }
  append(to, payload);
  to.resize(offset + (type.root == TypeRoot::kDecimal ? kDecimalSize : round_up(payload.size())));
  store_reference(to, slot, offset, payload.size());
  return {};
}

Result<ByteView> SlotReader::variable(size_t offset, size_t size) {
  if (offset < next_ || offset > bytes_.size() || size > bytes_.size() - offset) {
    return make_error(ErrorCode::kCorruptRecord,
                      "expected a reference into bytes {} to {}, found {} bytes at {}", next_, bytes_.size(),
                      size, offset);
  }
  next_ = offset + size;
  return bytes_.subspan(offset, size);
}

Result<Value> SlotReader::read(size_t slot, const DataType& type) {
  const uint8_t* cell = bytes_.data() + slot;
  const auto low = load_le<uint32_t>(cell);
  const auto offset = load_le<uint32_t>(cell + 4);
  if (is_timestamp(type)) {
    const ByteView millis = STROM_TRY(variable(offset, sizeof(int64_t)));
    return Value(STROM_TRY(make_timestamp(load_le<int64_t>(millis.data()), static_cast<int32_t>(low))));
  }
  if (may_be_inline(type) && (cell[kMaxInline] & kInlineMark) != 0) {
    const size_t size = cell[kMaxInline] & ~kInlineMark;
    if (size > kMaxInline) {
      return make_error(ErrorCode::kCorruptRecord, "expected at most {} bytes inside a slot, found {}",
                        kMaxInline, size);
    }
    return decode_payload(container_, type, {cell, size});
  }
  return decode_payload(container_, type, STROM_TRY(variable(offset, low)));
}

}  // namespace strom::format
