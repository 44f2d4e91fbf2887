#include "format/key/key_encoder.h"

#include <algorithm>

#include "format/bucketing.h"
#include "format/key/key_formats.h"
#include "format/row/row_formats.h"
#include "format/row/scalar.h"

namespace strom::format {

using model::DataType;
using model::LakeFormat;

namespace {

bool is_key_type(KeyEncoding encoding, const DataType& type) {
  switch (encoding) {
    case KeyEncoding::kCompacted:
    case KeyEncoding::kPaimon:
      return !type.is_nested();
    case KeyEncoding::kIceberg:
      return is_iceberg_key_type(type);
    case KeyEncoding::kHudi:
      return is_hudi_key_type(type);
  }
  STROM_CHECK(false, "key encoding {}", static_cast<int>(encoding));
}

Result<Buffer> encode_compacted_key(const DataType& key_type, const RowValue& key) {
  Buffer bytes;
  for (size_t i = 0; i < key.fields.size(); ++i) {
    const model::DataField& field = key_type.fields[i];
    if (key.fields[i].is_null()) return in_field(field, type_mismatch(field.type.not_null(), key.fields[i]));
    const Status written = append_compacted(bytes, field.type, key.fields[i]);
    if (!written.ok()) return in_field(field, written.error());
  }
  return bytes;
}

}  // namespace

std::string_view to_string(KeyEncoding encoding) {
  switch (encoding) {
    case KeyEncoding::kCompacted:
      return "compacted";
    case KeyEncoding::kPaimon:
      return "paimon";
    case KeyEncoding::kIceberg:
      return "iceberg";
    case KeyEncoding::kHudi:
      return "hudi";
  }
  STROM_CHECK(false, "key encoding {}", static_cast<int>(encoding));
}

KeyEncoding bucket_key_encoding(std::optional<LakeFormat> lake) {
  if (!lake) return KeyEncoding::kCompacted;
  switch (*lake) {
    case LakeFormat::kPaimon:
      return KeyEncoding::kPaimon;
    case LakeFormat::kLance:
      return KeyEncoding::kCompacted;
    case LakeFormat::kIceberg:
      return KeyEncoding::kIceberg;
    case LakeFormat::kHudi:
      return KeyEncoding::kHudi;
  }
  STROM_CHECK(false, "lake format {}", static_cast<int>(*lake));
}

Result<KeyEncoding> primary_key_encoding(const PrimaryKeyRule& rule) {
  if (rule.kv_format_version != 1 && rule.kv_format_version != 2) {
    return make_error(ErrorCode::kInvalidTable, "expected version 1 or 2 of the key-value format, found {}",
                      rule.kv_format_version);
  }
  if (rule.lake == LakeFormat::kHudi) return KeyEncoding::kCompacted;
  if (rule.kv_format_version == 2 && !rule.default_bucket_key) return KeyEncoding::kCompacted;
  return bucket_key_encoding(rule.lake);
}

Result<model::BucketId> bucket_of(KeyEncoding encoding, ByteView key, int32_t bucket_count) {
  switch (encoding) {
    case KeyEncoding::kCompacted:
      return fluss_bucket(key, bucket_count);
    case KeyEncoding::kPaimon:
      return paimon_bucket(key, bucket_count);
    case KeyEncoding::kIceberg:
      return iceberg_bucket(key, bucket_count);
    case KeyEncoding::kHudi:
      return hudi_bucket(key, bucket_count);
  }
  STROM_CHECK(false, "key encoding {}", static_cast<int>(encoding));
}

Result<KeyEncoder> KeyEncoder::make(KeyEncoding encoding, const DataType& row_type,
                                    const std::vector<std::string>& columns) {
  STROM_CHECK(row_type.root == model::TypeRoot::kRow, "KeyEncoder with the type {}", row_type);
  if (columns.empty() || (encoding == KeyEncoding::kIceberg && columns.size() != 1)) {
    return make_error(ErrorCode::kInvalidTable, "{} key: expected {}, found {} columns", to_string(encoding),
                      columns.empty() ? "at least one column" : "exactly one column", columns.size());
  }
  std::vector<model::DataField> fields;
  std::vector<size_t> positions;
  for (const std::string& name : columns) {
    const auto field = std::ranges::find(row_type.fields, name, &model::DataField::name);
    if (field == row_type.fields.end()) {
      return make_error(ErrorCode::kInvalidTable, "{} key: column {} is not in {}", to_string(encoding), name,
                        row_type);
    }
    if (!is_key_type(encoding, field->type)) {
      return make_error(ErrorCode::kInvalidTable, "{} key: column {} of type {} can't be a key column",
                        to_string(encoding), name, field->type);
    }
    positions.push_back(static_cast<size_t>(field - row_type.fields.begin()));
    fields.push_back(*field);
  }
  return KeyEncoder(encoding, DataType::row(std::move(fields)), std::move(positions));
}

Result<Buffer> KeyEncoder::encode(const RowValue& row) const {
  RowValue key;
  key.fields.reserve(positions_.size());
  for (const size_t position : positions_) {
    if (position >= row.fields.size()) {
      return make_error(ErrorCode::kCorruptRecord, "expected a row with more than {} fields, found {}",
                        position, row.fields.size());
    }
    key.fields.push_back(row.fields[position]);
  }
  switch (encoding_) {
    case KeyEncoding::kCompacted:
      return encode_compacted_key(key_type_, key);
    case KeyEncoding::kPaimon:
      return encode_row(RowFormat::kAligned, key_type_, key);
    case KeyEncoding::kIceberg:
      return encode_iceberg_key(key_type_.fields[0], key.fields[0]);
    case KeyEncoding::kHudi:
      return encode_hudi_key(key_type_, key);
  }
  STROM_CHECK(false, "key encoding {}", static_cast<int>(encoding_));
}

Result<RowValue> KeyEncoder::decode_compacted(ByteView key) const {
  STROM_CHECK(encoding_ == KeyEncoding::kCompacted, "decode_compacted of a {} key", to_string(encoding_));
  ByteReader reader(key, "compacted key");
  RowValue row;
  row.fields.reserve(key_type_.fields.size());
  for (const model::DataField& field : key_type_.fields) {
    auto value = read_compacted(reader, field.type);
    if (!value.ok()) return in_field(field, value.error());
    row.fields.push_back(*std::move(value));
  }
  if (reader.remaining() > 0) {
    return make_error(ErrorCode::kCorruptRecord, "compacted key: {} bytes follow its {} columns",
                      reader.remaining(), key_type_.fields.size());
  }
  return row;
}

}  // namespace strom::format
