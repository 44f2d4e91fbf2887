#include "format/kv_batch.h"

#include <algorithm>
#include <string_view>

#include "base/crc32c.h"
#include "base/endian.h"
#include "format/row/byte_reader.h"

namespace strom::format {
namespace {

// Offsets in the header of a KV batch.
constexpr size_t kLengthSize =
    4;  // both kinds of batches and records start with the count of the bytes that follow
constexpr size_t kMagicOffset = 4;
constexpr size_t kCrcOffset = 5;
constexpr size_t kSchemaOffset = 9;  // the CRC covers the batch from here
constexpr size_t kWriterOffset = 12;
constexpr size_t kSequenceOffset = 20;
constexpr size_t kCountOffset = 24;
constexpr size_t kValueCountOffset = 5;

// The bytes of the batch at the start of `bytes`: its length is there, plausible, and magic 0.
Result<ByteView> cut_batch(ByteView bytes, size_t header_size, std::string_view what) {
  if (bytes.size() < header_size) {
    return make_error(ErrorCode::kCorruptMessage, "{}: expected a header of {} bytes, found {}", what,
                      header_size, bytes.size());
  }
  const auto length = load_le<int32_t>(bytes.data());
  if (length < static_cast<int32_t>(header_size - kLengthSize)) {
    return make_error(ErrorCode::kCorruptRecord, "{}: expected a length of at least {}, found {}", what,
                      header_size - kLengthSize, length);
  }
  const size_t size = kLengthSize + static_cast<size_t>(length);
  if (size > bytes.size()) {
    return make_error(ErrorCode::kCorruptMessage, "{}: expected {} bytes, found {}", what, size,
                      bytes.size());
  }
  if (bytes[kMagicOffset] != 0) {
    return make_error(ErrorCode::kCorruptRecord, "{}: expected magic 0, found {}", what, bytes[kMagicOffset]);
  }
  return bytes.first(size);
}

Result<int32_t> read_count(ByteView bytes, size_t offset, std::string_view what) {
  const auto count = load_le<int32_t>(bytes.data() + offset);
  if (count < 0) return make_error(ErrorCode::kCorruptRecord, "{}: found a record count of {}", what, count);
  return count;
}

Error leftover(std::string_view what, size_t count) {
  return make_error(ErrorCode::kCorruptRecord, "{}: {} bytes follow its last record", what, count);
}

// The bytes of a record behind its length.
Result<ByteView> read_record(ByteReader& reader, std::string_view what) {
  const auto length = STROM_TRY(reader.fixed<int32_t>());
  if (length < 0)
    return make_error(ErrorCode::kCorruptRecord, "{}: found a record of {} bytes", what, length);
  return reader.bytes(static_cast<size_t>(length));
}

size_t capacity_for(int32_t count, size_t bytes, size_t least_record_size) {
  return std::min(static_cast<size_t>(count), bytes / least_record_size);
}

void store_length_and_count(Buffer& bytes, size_t count_offset, int32_t count) {
  store_le(bytes.data(), static_cast<int32_t>(bytes.size() - kLengthSize));
  store_le(bytes.data() + count_offset, count);
}

}  // namespace

Result<KvBatchView> KvBatchView::parse(ByteView bytes) {
  KvBatchView batch;
  batch.bytes_ = STROM_TRY(cut_batch(bytes, kKvBatchHeaderSize, "KV batch"));
  batch.record_count_ = STROM_TRY(read_count(batch.bytes_, kCountOffset, "KV batch"));
  batch.schema_ = model::SchemaId(load_le<int16_t>(bytes.data() + kSchemaOffset));
  batch.writer_ = model::WriterId(load_le<int64_t>(bytes.data() + kWriterOffset));
  batch.sequence_ = model::BatchSequence(load_le<int32_t>(bytes.data() + kSequenceOffset));
  return batch;
}

uint32_t KvBatchView::crc() const { return load_le<uint32_t>(bytes_.data() + kCrcOffset); }
uint32_t KvBatchView::computed_crc() const { return crc32c(bytes_.subspan(kSchemaOffset)); }

Status KvBatchView::check_crc() const {
  if (crc() == computed_crc()) return {};
  return make_error(ErrorCode::kCorruptRecord,
                    "KV batch: its header says CRC {:#010x}, its bytes have {:#010x}", crc(), computed_crc());
}

Result<std::vector<KvRecord>> KvBatchView::records() const {
  constexpr size_t kLeastRecordSize = kLengthSize + 1;  // an empty key
  ByteReader reader(bytes_.subspan(kKvBatchHeaderSize), "KV batch");
  std::vector<KvRecord> records;
  records.reserve(capacity_for(record_count_, reader.remaining(), kLeastRecordSize));
  for (int32_t i = 0; i < record_count_; ++i) {
    ByteReader record(STROM_TRY(read_record(reader, "KV batch")), "KV record");
    const auto key_size = STROM_TRY(record.varint<uint32_t>());
    const ByteView key = STROM_TRY(record.bytes(key_size));
    records.push_back({.key = key, .row = STROM_TRY(record.bytes(record.remaining()))});
  }
  if (reader.remaining() > 0) return leftover("KV batch", reader.remaining());
  return records;
}

KvBatchBuilder::KvBatchBuilder(const Options& options) : bytes_(kKvBatchHeaderSize) {
  store_le(bytes_.data() + kSchemaOffset, static_cast<int16_t>(options.schema.value));
  store_le(bytes_.data() + kWriterOffset, options.writer.value);
  store_le(bytes_.data() + kSequenceOffset, options.sequence.value);
}

void KvBatchBuilder::put(ByteView key, ByteView row) {
  const size_t start = bytes_.size();
  put_fixed<int32_t>(bytes_, 0);
  put_varint(bytes_, key.size());
  append(bytes_, key);
  append(bytes_, row);
  store_le(bytes_.data() + start, static_cast<int32_t>(bytes_.size() - start - kLengthSize));
  ++record_count_;
}

void KvBatchBuilder::remove(ByteView key) { put(key, {}); }

Buffer KvBatchBuilder::finish() && {
  store_length_and_count(bytes_, kCountOffset, record_count_);
  store_le(bytes_.data() + kCrcOffset, crc32c(ByteView(bytes_).subspan(kSchemaOffset)));
  return std::move(bytes_);
}

Result<KvValue> KvValue::parse(ByteView bytes) {
  ByteReader reader(bytes, "KV value");
  const model::SchemaId schema(STROM_TRY(reader.fixed<int16_t>()));
  return KvValue{.schema = schema, .row = STROM_TRY(reader.bytes(reader.remaining()))};
}

Buffer KvValue::encode() const {
  Buffer bytes;
  bytes.reserve(sizeof(int16_t) + row.size());
  put_fixed(bytes, static_cast<int16_t>(schema.value));
  append(bytes, row);
  return bytes;
}

ValueBatchBuilder::ValueBatchBuilder() : bytes_(kValueBatchHeaderSize) {}

void ValueBatchBuilder::add(ByteView value) {
  put_fixed(bytes_, static_cast<int32_t>(value.size()));
  append(bytes_, value);
  ++record_count_;
}

Buffer ValueBatchBuilder::finish() && {
  store_length_and_count(bytes_, kValueCountOffset, record_count_);
  return std::move(bytes_);
}

Result<std::vector<KvValue>> parse_value_batch(ByteView bytes) {
  constexpr size_t kLeastRecordSize = kLengthSize + sizeof(int16_t);
  const ByteView batch = STROM_TRY(cut_batch(bytes, kValueBatchHeaderSize, "value batch"));
  if (batch.size() < bytes.size()) return leftover("value batch", bytes.size() - batch.size());
  const int32_t count = STROM_TRY(read_count(batch, kValueCountOffset, "value batch"));
  ByteReader reader(batch.subspan(kValueBatchHeaderSize), "value batch");
  std::vector<KvValue> values;
  values.reserve(capacity_for(count, reader.remaining(), kLeastRecordSize));
  for (int32_t i = 0; i < count; ++i) {
    values.push_back(STROM_TRY(KvValue::parse(STROM_TRY(read_record(reader, "value batch")))));
  }
  if (reader.remaining() > 0) return leftover("value batch", reader.remaining());
  return values;
}

}  // namespace strom::format
