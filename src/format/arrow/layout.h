// The flattened layout of a record batch: how many field nodes and buffers a column of each type takes.
// Columns follow each other; inside a column the order is depth first, parents before children.
//   fixed-size types, BOOLEAN   1 node   validity, data
//   CHAR, STRING, BYTES         1 node   validity, offsets, data
//   ARRAY                       1 node   validity, offsets              + element
//   MAP                         1 node   validity, offsets              + entries: 1 node, validity + key +
//   value ROW                         1 node   validity                       + fields
// Pure; any thread. Format: docs/formats/arrow.md. Upstream counterpart: Arrow's TypeLayout.
#pragma once

#include <cstddef>
#include <cstdint>

#include "model/data_type.h"

namespace strom::format::arrow {

struct Layout {
  size_t nodes = 0;
  size_t buffers = 0;

  friend bool operator==(const Layout&, const Layout&) = default;
};

// Of the column with everything nested in it.
Layout layout_of(const model::DataType& type);

// Buffers of the column's own node.
size_t own_buffers(model::TypeRoot root);

// Bytes per value in the data buffer of a type with fixed-size values, 0 for all others (BOOLEAN takes one
// bit). TIME is 4 bytes up to precision 3, 8 above; all timestamps are 8, decimals 16.
size_t value_width(const model::DataType& type);

}  // namespace strom::format::arrow
