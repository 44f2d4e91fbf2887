// Payloads: the bytes of values without a fixed width, the same in all row formats: CHAR, STRING, BINARY,
// BYTES, large decimals, ARRAY, MAP, ROW. For row/ and key/ only. Any thread. Format:
// docs/formats/row-aligned.md (arrays and maps). Upstream counterparts: row/{BinaryArray,BinaryMap},
// row/serializer.
#pragma once

#include "base/result.h"
#include "format/row/row_codec.h"

namespace strom::format {

// `container` is the format of the row in which the value stands, and so of the rows in it.
Result<Buffer> encode_payload(RowFormat container, const model::DataType& type, const Value& value);
// The value that is all of `bytes`.
Result<Value> decode_payload(RowFormat container, const model::DataType& type, ByteView bytes);

Result<Buffer> encode_array(RowFormat container, const model::DataType& element,
                            const std::vector<Value>& elements);
Result<std::vector<Value>> decode_array(RowFormat container, const model::DataType& element, ByteView bytes);

}  // namespace strom::format
