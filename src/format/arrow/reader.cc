#include "format/arrow/reader.h"

#include "base/endian.h"
#include "format/arrow/codec.h"
#include "format/arrow/layout.h"
#include "format/arrow/message.h"
#include "format/arrow/scalar.h"

namespace strom::format::arrow {
namespace {

using model::DataType;
using model::TypeRoot;
using Values = std::vector<Value>;

Error corrupt(std::string_view what) {
  return make_error(ErrorCode::kCorruptRecord, "corrupt Arrow record batch: {}", what);
}

bool bit(ByteView bits, size_t index) { return (bits[index / 8] >> (index % 8) & 1) != 0; }

// Takes columns from a message in the order of its nodes and buffers.
class ColumnReader {
 public:
  ColumnReader(const Message& message, const ReadLimits& limits)
      : message_(message), bytes_left_(limits.decompressed_bytes), values_left_(limits.values) {}

  // The first `count` values of the next column, a null Value for each null.
  Result<Values> read(const DataType& type, size_t count);
  bool at_end() const {
    return node_ == message_.metadata.nodes.size() && buffer_ == message_.metadata.buffers.size();
  }

 private:
  // Which values of a node are valid.
  struct Validity {
    bool all = false;
    Buffer storage;
    ByteView bits;

    bool operator[](size_t index) const { return all || bit(bits, index); }
  };

  Result<Validity> next_node(size_t count);
  Result<ByteView> next_buffer(Buffer& storage);
  // count + 1 positions, ascending from 0 or more.
  Result<std::vector<size_t>> next_offsets(size_t count);

  Result<Values> read_booleans(size_t count, const Validity& valid);
  Result<Values> read_fixed(const DataType& type, size_t count, const Validity& valid);
  Result<Values> read_variable(const DataType& type, size_t count, const Validity& valid);
  Result<Values> read_arrays(const DataType& type, size_t count, const Validity& valid);
  Result<Values> read_maps(const DataType& type, size_t count, const Validity& valid);
  Result<Values> read_structs(const DataType& type, size_t count, const Validity& valid);

  const Message& message_;
  size_t node_ = 0;
  size_t buffer_ = 0;
  size_t bytes_left_;
  size_t values_left_;
};

Result<ByteView> ColumnReader::next_buffer(Buffer& storage) {
  if (buffer_ == message_.metadata.buffers.size())
    return corrupt("it has fewer buffers than its schema takes");
  ByteView stored = message_.buffer(buffer_++);
  return decode_buffer(message_.metadata.compression, stored, bytes_left_, storage);
}

Result<ColumnReader::Validity> ColumnReader::next_node(size_t count) {
  if (node_ == message_.metadata.nodes.size()) return corrupt("it has fewer nodes than its schema takes");
  const FieldNode& node = message_.metadata.nodes[node_++];
  if (static_cast<uint64_t>(node.length) < count) {
    return corrupt(fmt::format("a column of {} values where {} are needed", node.length, count));
  }
  if (count > values_left_) return corrupt("it has more values than are allowed");
  values_left_ -= count;
  Validity validity;
  validity.bits = STROM_TRY(next_buffer(validity.storage));
  // A writer may leave out the bits when nothing is null; what they say then doesn't matter.
  validity.all = node.null_count == 0;
  if (!validity.all && validity.bits.size() * 8 < count) {
    return corrupt(fmt::format("{} bytes of validity for {} values", validity.bits.size(), count));
  }
  return validity;
}

Result<std::vector<size_t>> ColumnReader::next_offsets(size_t count) {
  Buffer storage;
  ByteView bytes = STROM_TRY(next_buffer(storage));
  std::vector<size_t> offsets(count + 1);
  if (count == 0) return offsets;  // the buffer may be empty, too
  if (bytes.size() / 4 < count + 1) {
    return corrupt(fmt::format("{} bytes of offsets for {} values", bytes.size(), count));
  }
  int32_t previous = 0;
  for (size_t i = 0; i <= count; ++i) {
    int32_t offset = load_le<int32_t>(bytes.data() + 4 * i);
    if (offset < previous) return corrupt(fmt::format("offset {} follows {}", offset, previous));
    offsets[i] = static_cast<size_t>(offset);
    previous = offset;
  }
  return offsets;
}

Result<Values> ColumnReader::read(const DataType& type, size_t count) {
  const Validity valid = STROM_TRY(next_node(count));
  switch (type.root) {
    case TypeRoot::kBoolean:
      return read_booleans(count, valid);
    case TypeRoot::kChar:
    case TypeRoot::kString:
    case TypeRoot::kBytes:
      return read_variable(type, count, valid);
    case TypeRoot::kArray:
      return read_arrays(type, count, valid);
    case TypeRoot::kMap:
      return read_maps(type, count, valid);
    case TypeRoot::kRow:
      return read_structs(type, count, valid);
    default:
      return read_fixed(type, count, valid);
  }
}

Result<Values> ColumnReader::read_booleans(size_t count, const Validity& valid) {
  Buffer storage;
  ByteView bits = STROM_TRY(next_buffer(storage));
  if (bits.size() * 8 < count) return corrupt(fmt::format("{} bytes for {} booleans", bits.size(), count));
  Values values(count);
  for (size_t i = 0; i < count; ++i) {
    if (valid[i]) values[i] = bit(bits, i);
  }
  return values;
}

Result<Values> ColumnReader::read_fixed(const DataType& type, size_t count, const Validity& valid) {
  Buffer storage;
  ByteView bytes = STROM_TRY(next_buffer(storage));
  size_t width = value_width(type);
  STROM_CHECK(width > 0, "{} has no fixed size", type);
  if (bytes.size() / width < count) {
    return corrupt(fmt::format("{} bytes for {} values of {}", bytes.size(), count, type));
  }
  Values values(count);
  for (size_t i = 0; i < count; ++i) {
    if (valid[i]) values[i] = STROM_TRY(load_fixed(bytes.data() + i * width, type));
  }
  return values;
}

Result<Values> ColumnReader::read_variable(const DataType& type, size_t count, const Validity& valid) {
  std::vector<size_t> offsets = STROM_TRY(next_offsets(count));
  Buffer storage;
  ByteView bytes = STROM_TRY(next_buffer(storage));
  if (offsets.back() > bytes.size()) {
    return corrupt(fmt::format("offset {} in a buffer of {} bytes", offsets.back(), bytes.size()));
  }
  Values values(count);
  for (size_t i = 0; i < count; ++i) {
    if (!valid[i]) continue;
    ByteView datum = bytes.subspan(offsets[i], offsets[i + 1] - offsets[i]);
    values[i] =
        type.root == TypeRoot::kBytes ? Value(Buffer(datum.begin(), datum.end())) : Value(to_string(datum));
  }
  return values;
}

// Moves elements [from, to) out of `values`. The ranges of a column do not overlap.
Values take(Values& values, size_t from, size_t to) {
  auto at = [&values](size_t index) {
    return std::make_move_iterator(values.begin() + static_cast<ptrdiff_t>(index));
  };
  return Values(at(from), at(to));
}

Result<Values> ColumnReader::read_arrays(const DataType& type, size_t count, const Validity& valid) {
  std::vector<size_t> offsets = STROM_TRY(next_offsets(count));
  Values elements = STROM_TRY(read(type.element(), offsets.back()));
  Values values(count);
  for (size_t i = 0; i < count; ++i) {
    if (valid[i]) values[i] = ArrayValue{.elements = take(elements, offsets[i], offsets[i + 1])};
  }
  return values;
}

Result<Values> ColumnReader::read_maps(const DataType& type, size_t count, const Validity& valid) {
  std::vector<size_t> offsets = STROM_TRY(next_offsets(count));
  const Validity entries = STROM_TRY(next_node(offsets.back()));
  if (!entries.all) return corrupt("an entry of a map is null");
  Values keys = STROM_TRY(read(type.key(), offsets.back()));
  Values datums = STROM_TRY(read(type.value(), offsets.back()));
  Values values(count);
  for (size_t i = 0; i < count; ++i) {
    if (!valid[i]) continue;
    values[i] = MapValue{.keys = take(keys, offsets[i], offsets[i + 1]),
                         .values = take(datums, offsets[i], offsets[i + 1])};
  }
  return values;
}

Result<Values> ColumnReader::read_structs(const DataType& type, size_t count, const Validity& valid) {
  std::vector<Values> fields;
  for (const model::DataField& field : type.fields) fields.push_back(STROM_TRY(read(field.type, count)));
  Values values(count);
  for (size_t i = 0; i < count; ++i) {
    if (!valid[i]) continue;
    RowValue row;
    row.fields.reserve(fields.size());
    for (Values& field : fields) row.fields.push_back(std::move(field[i]));
    values[i] = std::move(row);
  }
  return values;
}

}  // namespace

Result<std::vector<RowValue>> read_rows(ByteView bytes, const DataType& row_type, const ReadLimits& limits) {
  STROM_CHECK(row_type.root == TypeRoot::kRow, "read_rows with the type {}", row_type);
  const Message message = STROM_TRY(parse_message(bytes));
  ColumnReader reader(message, limits);
  auto count = static_cast<size_t>(message.metadata.record_count);
  std::vector<Values> columns;
  for (const model::DataField& field : row_type.fields)
    columns.push_back(STROM_TRY(reader.read(field.type, count)));
  if (!reader.at_end()) return corrupt("it has more nodes or buffers than its schema takes");
  // Without columns nothing has bounded the count yet.
  if (count > limits.values) return corrupt("it has more rows than are allowed");
  std::vector<RowValue> rows(count);
  for (size_t i = 0; i < count; ++i) {
    rows[i].fields.reserve(columns.size());
    for (Values& column : columns) rows[i].fields.push_back(std::move(column[i]));
  }
  return rows;
}

}  // namespace strom::format::arrow
