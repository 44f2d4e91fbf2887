// Scalars: values of a fixed width of 1, 2, 4 or 8 bytes, little-endian, the same in INDEXED rows, in the
// slots of ALIGNED rows and in arrays. For row/ and key/ only. Any thread. Format:
// docs/formats/row-indexed.md. Upstream counterpart: the write and read methods of
// row/{indexed/IndexedRowWriter,AbstractBinaryWriter}.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/result.h"
#include "format/row/value.h"
#include "model/data_type.h"

namespace strom::format {

// True for decimals that are stored as their unscaled int64.
inline bool is_compact_decimal(const model::DataType& type) {
  return type.precision <= kMaxCompactDecimalPrecision;
}
// True for timestamps that are stored as milliseconds alone.
inline bool is_compact_timestamp(const model::DataType& type) { return type.precision <= 3; }

// 1, 2, 4 or 8; 0 for types whose values are no scalars: CHAR, STRING, BINARY, BYTES, large decimals,
// timestamps finer than a millisecond, ARRAY, MAP, ROW.
size_t scalar_size(const model::DataType& type);

// Writes scalar_size(type) bytes. kCorruptRecord when `value` is not of `type`.
Status store_scalar(uint8_t* to, const model::DataType& type, const Value& value);
// Reads scalar_size(type) bytes.
Value load_scalar(const uint8_t* from, const model::DataType& type);

Error type_mismatch(const model::DataType& type, const Value& value);

// The datum of a value that has to be of `type`.
template <class T>
Result<const T*> expect(const model::DataType& type, const Value& value) {
  if (const T* datum = value.get_if<T>()) return datum;
  return type_mismatch(type, value);
}

// The unscaled number of a value that has to be a decimal of `type`: same scale, not more digits.
Result<Int128> expect_decimal(const model::DataType& type, const Value& value);
// Fails when the nanoseconds are not 0..999,999.
Result<Timestamp> make_timestamp(int64_t millis, int32_t nanos_of_milli);
// expect<Timestamp> and the check of make_timestamp.
Result<Timestamp> expect_timestamp(const model::DataType& type, const Value& value);

// "field a: ..." before the message.
Error in_field(const model::DataField& field, const Error& error);

}  // namespace strom::format
