#include "format/arrow/layout.h"

namespace strom::format::arrow {

using model::DataType;
using model::TypeRoot;

size_t own_buffers(TypeRoot root) {
  switch (root) {
    case TypeRoot::kRow:
      return 1;
    case TypeRoot::kChar:
    case TypeRoot::kString:
    case TypeRoot::kBytes:
      return 3;
    default:
      return 2;
  }
}

Layout layout_of(const DataType& type) {
  Layout layout{.nodes = 1, .buffers = own_buffers(type.root)};
  auto add = [&layout](const DataType& child) {
    Layout more = layout_of(child);
    layout.nodes += more.nodes;
    layout.buffers += more.buffers;
  };
  if (type.root == TypeRoot::kMap) {
    // The struct of the entries is a node of its own.
    layout.nodes += 1;
    layout.buffers += own_buffers(TypeRoot::kRow);
  }
  for (const DataType& child : type.children) add(child);
  for (const model::DataField& field : type.fields) add(field.type);
  return layout;
}

size_t value_width(const DataType& type) {
  switch (type.root) {
    case TypeRoot::kTinyInt:
      return 1;
    case TypeRoot::kSmallInt:
      return 2;
    case TypeRoot::kInteger:
    case TypeRoot::kFloat:
    case TypeRoot::kDate:
      return 4;
    case TypeRoot::kTime:
      return type.precision <= 3 ? 4 : 8;
    case TypeRoot::kBigInt:
    case TypeRoot::kDouble:
    case TypeRoot::kTimestamp:
    case TypeRoot::kTimestampLtz:
      return 8;
    case TypeRoot::kDecimal:
      return 16;
    case TypeRoot::kBinary:
      return static_cast<size_t>(type.length);
    default:
      return 0;
  }
}

}  // namespace strom::format::arrow
