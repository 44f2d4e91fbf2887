#include "format/arrow/writer.h"

#include <algorithm>
#include <array>

#include "base/endian.h"
#include "format/arrow/layout.h"
#include "format/arrow/scalar.h"
#include "format/row/scalar.h"

namespace strom::format::arrow {
namespace {

using model::DataType;
using model::TypeRoot;

// Offsets are 32-bit numbers; a batch stays far enough below.
constexpr size_t kMaxValueBytes = size_t{1} << 30;

Result<size_t> check_value(const DataType& type, const Value& value);

Result<size_t> check_elements(const DataType& type, const std::vector<Value>& elements) {
  size_t bytes = 0;
  for (const Value& element : elements) bytes += STROM_TRY(check_value(type, element));
  return bytes;
}

Result<size_t> check_fields(const DataType& type, const RowValue& row) {
  if (row.fields.size() != type.fields.size()) {
    return make_error(ErrorCode::kCorruptRecord, "expected a row of {} fields, found {}", type.fields.size(),
                      row.fields.size());
  }
  size_t bytes = 0;
  for (size_t i = 0; i < row.fields.size(); ++i) {
    Result<size_t> field = check_value(type.fields[i].type, row.fields[i]);
    if (!field.ok()) return in_field(type.fields[i], field.error());
    bytes += *field;
  }
  return bytes;
}

Result<size_t> check_map(const DataType& type, const Value& value) {
  const MapValue& map = *STROM_TRY(expect<MapValue>(type, value));
  if (map.keys.size() != map.values.size()) {
    return make_error(ErrorCode::kCorruptRecord, "expected as many keys as values in a map, found {} and {}",
                      map.keys.size(), map.values.size());
  }
  if (std::ranges::any_of(map.keys, &Value::is_null)) {
    return make_error(ErrorCode::kCorruptRecord, "a key of a map is null");
  }
  return 4 + STROM_TRY(check_elements(type.key(), map.keys)) +
         STROM_TRY(check_elements(type.value(), map.values));
}

Result<size_t> check_fixed(const DataType& type, const Value& value) {
  if (type.root == TypeRoot::kBinary) {
    // Not worth a copy: its only condition is its length.
    const Buffer& bytes = *STROM_TRY(expect<Buffer>(type, value));
    if (bytes.size() <= value_width(type)) return value_width(type);
    return make_error(ErrorCode::kCorruptRecord, "expected at most {} bytes for {}, found {}",
                      value_width(type), type, bytes.size());
  }
  std::array<uint8_t, 16> scratch;
  STROM_TRY(store_fixed(scratch.data(), type, value));
  return value_width(type);
}

// Fails when append_value could not write the value; else returns about how many bytes it takes.
Result<size_t> check_value(const DataType& type, const Value& value) {
  if (value.is_null()) {
    if (!type.nullable)
      return make_error(ErrorCode::kCorruptRecord, "expected a value of {}, found null", type);
    return std::max<size_t>(value_width(type), 1);
  }
  switch (type.root) {
    case TypeRoot::kBoolean:
      STROM_TRY(expect<bool>(type, value));
      return size_t{1};
    case TypeRoot::kChar:
    case TypeRoot::kString:
      return 4 + STROM_TRY(expect<std::string>(type, value))->size();
    case TypeRoot::kBytes:
      return 4 + STROM_TRY(expect<Buffer>(type, value))->size();
    case TypeRoot::kArray:
      return 4 +
             STROM_TRY(check_elements(type.element(), STROM_TRY(expect<ArrayValue>(type, value))->elements));
    case TypeRoot::kMap:
      return check_map(type, value);
    case TypeRoot::kRow:
      return check_fields(type, *STROM_TRY(expect<RowValue>(type, value)));
    default:
      return check_fixed(type, value);
  }
}

void append_bit(Buffer& bits, size_t index, bool value) {
  if (index % 8 == 0) bits.push_back(0);
  if (value) bits.back() |= static_cast<uint8_t>(1 << (index % 8));
}

void append_offset(Buffer& offsets, size_t value) {
  offsets.resize(offsets.size() + 4);
  store_le(offsets.data() + offsets.size() - 4, static_cast<int32_t>(value));
}

bool has_offsets(TypeRoot root) {
  return root == TypeRoot::kArray || root == TypeRoot::kMap || own_buffers(root) == 3;
}

}  // namespace

struct ArrowWriter::Column {
  const DataType* type;  // of the writer's row type; null for the entries of a map
  TypeRoot root;
  size_t length = 0;
  size_t nulls = 0;
  Buffer validity;
  Buffer offsets;  // length + 1 of them
  Buffer data;
  std::vector<Column> children;

  explicit Column(const DataType& of) : type(&of), root(of.root) {
    if (has_offsets(root)) append_offset(offsets, 0);
    if (root == TypeRoot::kMap) {
      children.push_back(Column(of.key(), of.value()));
    } else {
      for (const DataType& child : of.children) children.emplace_back(child);
    }
    for (const model::DataField& field : of.fields) children.emplace_back(field.type);
  }
  // The entries of a map.
  Column(const DataType& key, const DataType& value) : type(nullptr), root(TypeRoot::kRow) {
    children.emplace_back(key);
    children.emplace_back(value);
  }

  void append_null();
  void append(const Value& value);  // passed check_value
  void append_row(const RowValue& row);
  void append_elements(const std::vector<Value>& elements);
  void append_entries(const MapValue& map);
  void append_data(ByteView bytes);

  // Adds the nodes and buffers of this column and its children, and the bytes to `body`.
  void write(const WriterOptions& options, RecordBatchMetadata& metadata, Buffer& body) const;
  void write_buffer(const WriterOptions& options, ByteView raw, RecordBatchMetadata& metadata,
                    Buffer& body) const;
};

void ArrowWriter::Column::append_null() {
  append_bit(validity, length, false);
  ++nulls;
  if (root == TypeRoot::kRow) {
    for (Column& child : children) child.append_null();
  } else if (root == TypeRoot::kBoolean) {
    append_bit(data, length, false);
  } else if (has_offsets(root)) {
    append_offset(offsets, static_cast<size_t>(load_le<int32_t>(offsets.data() + offsets.size() - 4)));
  } else {
    data.resize(data.size() + value_width(*type));
  }
  ++length;
}

void ArrowWriter::Column::append(const Value& value) {
  if (value.is_null()) return append_null();
  append_bit(validity, length, true);
  switch (root) {
    case TypeRoot::kBoolean:
      append_bit(data, length, value.get<bool>());
      break;
    case TypeRoot::kChar:
    case TypeRoot::kString:
      append_data(as_bytes(value.get<std::string>()));
      break;
    case TypeRoot::kBytes:
      append_data(value.get<Buffer>());
      break;
    case TypeRoot::kArray:
      append_elements(value.get<ArrayValue>().elements);
      break;
    case TypeRoot::kMap:
      append_entries(value.get<MapValue>());
      break;
    case TypeRoot::kRow:
      append_row(value.get<RowValue>());
      break;
    default: {
      size_t start = data.size();
      data.resize(start + value_width(*type));
      Status stored = store_fixed(data.data() + start, *type, value);
      STROM_CHECK(stored.ok(), "checked before: {}", stored.error().message);
    }
  }
  ++length;
}

void ArrowWriter::Column::append_data(ByteView bytes) {
  strom::append(data, bytes);
  append_offset(offsets, data.size());
}

void ArrowWriter::Column::append_row(const RowValue& row) {
  for (size_t i = 0; i < children.size(); ++i) children[i].append(row.fields[i]);
}

void ArrowWriter::Column::append_elements(const std::vector<Value>& elements) {
  for (const Value& element : elements) children[0].append(element);
  append_offset(offsets, children[0].length);
}

void ArrowWriter::Column::append_entries(const MapValue& map) {
  Column& entries = children[0];
  for (size_t i = 0; i < map.keys.size(); ++i) {
    append_bit(entries.validity, entries.length, true);
    entries.children[0].append(map.keys[i]);
    entries.children[1].append(map.values[i]);
    ++entries.length;
  }
  append_offset(offsets, entries.length);
}

void ArrowWriter::Column::write_buffer(const WriterOptions& options, ByteView raw,
                                       RecordBatchMetadata& metadata, Buffer& body) const {
  size_t start = body.size();
  size_t stored = append_encoded_buffer(body, options.compression, options.zstd_level, raw);
  metadata.buffers.push_back({.offset = static_cast<int64_t>(start), .length = static_cast<int64_t>(stored)});
  body.resize((body.size() + 7) / 8 * 8);
}

void ArrowWriter::Column::write(const WriterOptions& options, RecordBatchMetadata& metadata,
                                Buffer& body) const {
  metadata.nodes.push_back(
      {.length = static_cast<int64_t>(length), .null_count = static_cast<int64_t>(nulls)});
  write_buffer(options, validity, metadata, body);
  // A column without values (of empty arrays) has no offsets either, not one.
  if (has_offsets(root)) write_buffer(options, length == 0 ? ByteView() : ByteView(offsets), metadata, body);
  if (children.empty() && root != TypeRoot::kRow) write_buffer(options, data, metadata, body);
  for (const Column& child : children) child.write(options, metadata, body);
}

ArrowWriter::ArrowWriter(DataType row_type, WriterOptions options)
    : row_type_(std::move(row_type)), options_(options), root_(std::make_unique<Column>(row_type_)) {
  STROM_CHECK(row_type_.root == TypeRoot::kRow, "an Arrow writer for {}", row_type_);
}

ArrowWriter::~ArrowWriter() = default;
ArrowWriter::ArrowWriter(ArrowWriter&&) noexcept = default;
ArrowWriter& ArrowWriter::operator=(ArrowWriter&&) noexcept = default;

Status ArrowWriter::add(const RowValue& row) {
  size_t bytes = STROM_TRY(check_fields(row_type_, row));
  if (bytes > kMaxValueBytes - std::min(value_bytes_, kMaxValueBytes)) {
    return make_error(ErrorCode::kRecordTooLarge,
                      "a row of {} bytes does not fit into a batch of {} bytes, {} allowed", bytes,
                      value_bytes_, kMaxValueBytes);
  }
  root_->append_row(row);
  ++root_->length;
  value_bytes_ += bytes;
  return {};
}

int32_t ArrowWriter::record_count() const { return static_cast<int32_t>(root_->length); }

Buffer ArrowWriter::finish() {
  Buffer message;
  if (root_->length == 0) return message;
  RecordBatchMetadata metadata{.record_count = static_cast<int64_t>(root_->length),
                               .compression = options_.compression};
  Buffer body;
  for (const Column& column : root_->children) column.write(options_, metadata, body);
  metadata.body_length = static_cast<int64_t>(body.size());
  append_message_head(message, metadata);
  append(message, body);
  root_ = std::make_unique<Column>(row_type_);
  value_bytes_ = 0;
  return message;
}

}  // namespace strom::format::arrow
