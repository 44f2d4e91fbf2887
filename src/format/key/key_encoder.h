// Key encoders: the bytes of the key columns of a row, for the state of a primary-key table and for
// bucketing. Which of the four encodings a table uses follows from its lake format, so that rows land in the
// same buckets as in the lake. Pure; any thread. Format: docs/formats/key.md. Upstream counterpart:
// row/encode/KeyEncoder, row/decode/KeyDecoder.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "format/row/value.h"
#include "model/data_type.h"
#include "model/ids.h"
#include "model/table_options.h"

namespace strom::format {

enum class KeyEncoding : uint8_t { kCompacted, kPaimon, kIceberg, kHudi };

std::string_view to_string(KeyEncoding encoding);

// How the bucket key of a table is encoded. Its bucket function is that of the same name: bucket_of().
KeyEncoding bucket_key_encoding(std::optional<model::LakeFormat> lake);

// How the primary key of a table is encoded. Hudi's encoding is a hash and never identifies a row; from
// version 2 of the key-value format on, a table whose bucket key is a part of the primary key uses
// kCompacted, whose bytes of the bucket key are a prefix of those of the primary key (prefix lookup).
struct PrimaryKeyRule {
  std::optional<model::LakeFormat> lake;
  int32_t kv_format_version = 1;   // of the table's option; 1 when it is not set
  bool default_bucket_key = true;  // the bucket key is the whole primary key
};
// kInvalidTable for an unknown version.
Result<KeyEncoding> primary_key_encoding(const PrimaryKeyRule& rule);

// The bucket of a key that has been encoded by `encoding`. Errors of bucketing.h.
Result<model::BucketId> bucket_of(KeyEncoding encoding, ByteView key, int32_t bucket_count);

class KeyEncoder {
 public:
  // `row_type` is the ROW of all columns, `columns` names the key columns in key order. kInvalidTable when a
  // column is not there or its type can't be a key of this encoding.
  static Result<KeyEncoder> make(KeyEncoding encoding, const model::DataType& row_type,
                                 const std::vector<std::string>& columns);

  // `row` has all columns of `row_type`. kCorruptRecord when a key column holds null (Paimon and Hudi accept
  // it for bucket keys of log tables), or what the encoding can't express.
  Result<Buffer> encode(const RowValue& row) const;

  // The key columns of a key that encode() wrote with kCompacted. kCorruptRecord for other bytes. The other
  // encodings can't be decoded here: calling it for them is a broken invariant.
  Result<RowValue> decode_compacted(ByteView key) const;

  KeyEncoding encoding() const { return encoding_; }
  // ROW of the key columns in key order.
  const model::DataType& key_type() const { return key_type_; }

 private:
  KeyEncoder(KeyEncoding encoding, model::DataType key_type, std::vector<size_t> positions)
      : encoding_(encoding), key_type_(std::move(key_type)), positions_(std::move(positions)) {}

  KeyEncoding encoding_;
  model::DataType key_type_;
  std::vector<size_t> positions_;  // of the key columns in the row
};

}  // namespace strom::format
