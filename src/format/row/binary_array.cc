#include "base/endian.h"
#include "format/row/payload.h"
#include "format/row/scalar.h"
#include "format/row/slots.h"

namespace strom::format {

using model::DataType;

namespace {

constexpr size_t kSlotSize = 8;

//   [ i32 n ][ null bits, whole 32-bit words ][ n elements of 1, 2, 4 or 8 bytes ][ zeros up to 8 ][ variable
//   part ]
struct ArrayLayout {
  size_t element_size;
  size_t elements_start;
  size_t fixed_size;

  ArrayLayout(const DataType& element, size_t count) {
    const size_t scalar = scalar_size(element);
    element_size = scalar == 0 ? kSlotSize : scalar;
    elements_start = 4 + (count + 31) / 32 * 4;
    fixed_size = (elements_start + count * element_size + kSlotSize - 1) / kSlotSize * kSlotSize;
  }
  size_t element_start(size_t i) const { return elements_start + i * element_size; }
};

Error in_element(size_t i, const Error& error) {
  return make_error(error.code, "element {}: {}", i, error.message);
}

}  // namespace

Result<Buffer> encode_array(RowFormat container, const DataType& element,
                            const std::vector<Value>& elements) {
  const ArrayLayout layout(element, elements.size());
  Buffer bytes(layout.fixed_size);
  store_le(bytes.data(), static_cast<int32_t>(elements.size()));
  for (size_t i = 0; i < elements.size(); ++i) {
    const size_t start = layout.element_start(i);
    if (elements[i].is_null()) {
      if (!element.nullable) return in_element(i, type_mismatch(element, elements[i]));
      bytes[4 + i / 8] |= static_cast<uint8_t>(1 << i % 8);
      continue;
    }
    const Status written = scalar_size(element) > 0
                               ? store_scalar(bytes.data() + start, element, elements[i])
                               : write_slot(bytes, start, container, element, elements[i]);
    if (!written.ok()) return in_element(i, written.error());
  }
  return bytes;
}

Result<std::vector<Value>> decode_array(RowFormat container, const DataType& element, ByteView bytes) {
  // One element takes at least a byte: more elements than bytes can't be, and the sizes below can't overflow.
  const auto count = bytes.size() < 4 ? -1 : load_le<int32_t>(bytes.data());
  if (count < 0 || static_cast<size_t>(count) > bytes.size()) {
    return make_error(ErrorCode::kCorruptRecord, "expected an array, found a count of {} in {} bytes", count,
                      bytes.size());
  }
  const ArrayLayout layout(element, static_cast<size_t>(count));
  if (layout.fixed_size > bytes.size()) {
    return make_error(ErrorCode::kCorruptRecord, "expected {} bytes of an array of {} elements, found {}",
                      layout.fixed_size, count, bytes.size());
  }
  SlotReader slots(bytes, layout.fixed_size, container);
  std::vector<Value> elements;
  elements.reserve(static_cast<size_t>(count));
  for (size_t i = 0; i < static_cast<size_t>(count); ++i) {
    const size_t start = layout.element_start(i);
    if ((bytes[4 + i / 8] >> i % 8 & 1) != 0) {
      elements.emplace_back();
    } else if (scalar_size(element) > 0) {
      elements.push_back(load_scalar(bytes.data() + start, element));
    } else {
      auto value = slots.read(start, element);
      if (!value.ok()) return in_element(i, value.error());
      elements.push_back(*std::move(value));
    }
  }
  return elements;
}

}  // namespace strom::format
