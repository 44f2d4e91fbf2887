// Values of a fixed size in an Arrow data buffer: everything but BOOLEAN (bits), text, bytes and nested
// types. For arrow/ only. Any thread. Format: docs/formats/arrow.md. Upstream counterparts:
// row/arrow/writers/*, row/arrow/vectors/*.
#pragma once

#include <cstdint>

#include "base/result.h"
#include "format/row/value.h"
#include "model/data_type.h"

namespace strom::format::arrow {

// Writes value_width(type) bytes. kCorruptRecord when `value` isn't of `type` or is beyond what Arrow's unit
// can hold (TIMESTAMP(7..9) counts nanoseconds in 64 bits: years 1677 to 2262). What is finer than the unit
// is dropped, as upstream does.
Status store_fixed(uint8_t* to, const model::DataType& type, const Value& value);

// Reads value_width(type) bytes. kCorruptRecord when they are no value of `type`: a decimal with too many
// digits, a time or timestamp beyond what a Value holds.
Result<Value> load_fixed(const uint8_t* from, const model::DataType& type);

}  // namespace strom::format::arrow
