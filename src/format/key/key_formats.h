// The encodings behind KeyEncoder that are not plain rows. For key/ only. Any thread. Format:
// docs/formats/key.md. Upstream counterparts: row/encode/iceberg/IcebergKeyEncoder,
// row/encode/hudi/HudiKeyEncoder.
#pragma once

#include "base/result.h"
#include "format/row/value.h"
#include "model/data_type.h"

namespace strom::format {

bool is_iceberg_key_type(const model::DataType& type);
// Iceberg's single-value form of the one key column.
Result<Buffer> encode_iceberg_key(const model::DataField& field, const Value& value);

bool is_hudi_key_type(const model::DataType& type);
// The hash that Hudi computes of the key columns' texts; `key_type` is their ROW.
Result<Buffer> encode_hudi_key(const model::DataType& key_type, const RowValue& key);

}  // namespace strom::format
