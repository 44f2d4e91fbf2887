#include <algorithm>
#include <chrono>
#include <optional>

#include "base/endian.h"
#include "format/key/key_formats.h"
#include "format/row/scalar.h"
#include "model/partition.h"

namespace strom::format {

using model::DataType;
using model::TypeRoot;

namespace {

// What Hudi writes for null and for an empty text in a key of several columns.
constexpr std::string_view kNullPlaceholder = "__null__";
constexpr std::string_view kEmptyPlaceholder = "__empty__";

// Java's String.valueOf of a number is what partition values are made from, with '_' for '.' and a short
// infinity.
std::string java_text(std::string partition_value) {
  std::ranges::replace(partition_value, '_', '.');
  const size_t infinity = partition_value.find("Inf");
  if (infinity != std::string::npos) partition_value.replace(infinity, 3, "Infinity");
  return partition_value;
}

// ISO text of java.time: LocalDateTime leaves out seconds of zero, Instant ends in Z; three, six or nine
// digits of a fraction that is not zero.
Result<std::string> java_text(const DataType& type, const Timestamp& timestamp) {
  using std::chrono::days, std::chrono::floor, std::chrono::milliseconds;
  const auto day_number = floor<days>(milliseconds(timestamp.millis));
  const int64_t millis_of_day = (milliseconds(timestamp.millis) - day_number).count();
  constexpr int64_t kFirstDay = -719'528;  // 0000-01-01
  constexpr int64_t kLastDay = 2'932'896;  // 9999-12-31
  if (day_number.count() < kFirstDay || day_number.count() > kLastDay) {
    return make_error(ErrorCode::kCorruptRecord,
                      "expected a {} of the years 0 to 9999 in a Hudi key, found {} ms", type,
                      timestamp.millis);
  }
  const std::chrono::year_month_day date{std::chrono::sys_days{day_number}};
  const int64_t seconds = millis_of_day / 1000;
  const int64_t nanos = millis_of_day % 1000 * 1'000'000 + timestamp.nanos_of_milli;
  std::string text = fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}", static_cast<int>(date.year()),
                                 static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                                 seconds / 3600, seconds / 60 % 60);
  const bool instant = type.root == TypeRoot::kTimestampLtz;
  if (instant || seconds % 60 > 0 || nanos > 0) text += fmt::format(":{:02}", seconds % 60);
  if (nanos % 1'000'000 == 0 && nanos > 0) {
    text += fmt::format(".{:03}", nanos / 1'000'000);
  } else if (nanos % 1000 == 0 && nanos > 0) {
    text += fmt::format(".{:06}", nanos / 1000);
  } else if (nanos > 0) {
    text += fmt::format(".{:09}", nanos);
  }
  return instant ? text + "Z" : text;
}

Result<std::string> java_text(const DataType& type, const Value& value) {
  switch (type.root) {
    case TypeRoot::kFloat:
      return java_text(model::partition_value_of_float(*STROM_TRY(expect<float>(type, value))));
    case TypeRoot::kDouble:
      return java_text(model::partition_value_of_double(*STROM_TRY(expect<double>(type, value))));
    case TypeRoot::kTimestamp:
    case TypeRoot::kTimestampLtz:
      return java_text(type, STROM_TRY(expect_timestamp(type, value)));
    case TypeRoot::kChar:
    case TypeRoot::kString:
      return *STROM_TRY(expect<std::string>(type, value));
    case TypeRoot::kDecimal:
      STROM_TRY(expect_decimal(type, value));
      return debug_text(value);
    default: {
      // BOOLEAN and the integers, DATE and TIME among them, print alike here and there; this checks the type.
      uint8_t scratch[8];
      STROM_TRY(store_scalar(scratch, type, value));
      return debug_text(value);
    }
  }
}

// The code point at `position` of UTF-8 text, which moves behind it; U+FFFD for what is none, as Java decodes
// it.
uint32_t next_code_point(std::string_view text, size_t& position) {
  const auto byte = [&](size_t i) { return static_cast<uint8_t>(text[i]); };
  const uint8_t first = byte(position++);
  if (first < 0x80) return first;
  const int more = first >= 0xf0 && first < 0xf5 ? 3 : first >= 0xe0 ? 2 : first >= 0xc2 ? 1 : 0;
  if (more == 0 || first >= 0xf5) return 0xfffd;
  uint32_t code_point = first & (0x3f >> more);
  for (int i = 0; i < more; ++i, ++position) {
    if (position >= text.size() || (byte(position) & 0xc0) != 0x80) return 0xfffd;
    code_point = code_point << 6 | (byte(position) & 0x3f);
  }
  return code_point;
}

// Java's String.hashCode: over the UTF-16 code units.
uint32_t java_hash(std::string_view text) {
  uint32_t hash = 0;
  for (size_t position = 0; position < text.size();) {
    const uint32_t code_point = next_code_point(text, position);
    if (code_point >= 0x10000) {
      hash = hash * 31 + (0xd800 + ((code_point - 0x10000) >> 10));
      hash = hash * 31 + (0xdc00 + ((code_point - 0x10000) & 0x3ff));
    } else {
      hash = hash * 31 + code_point;
    }
  }
  return hash;
}

// Hudi joins the columns by ',' without escaping it and reads them back before it hashes: values that would
// come back as something else can't be keys.
Status check_composite(std::string_view text) {
  if (text.find(',') == std::string_view::npos && text != kNullPlaceholder && text != kEmptyPlaceholder)
    return {};
  return make_error(
      ErrorCode::kCorruptRecord,
      "expected a text without ',' other than {} and {} in a Hudi key of several columns, found \"{}\"",
      kNullPlaceholder, kEmptyPlaceholder, text);
}

// The hash of one column; `composite` when there are several.
Result<uint32_t> hash_field(const DataType& type, const Value& value, bool composite) {
  if (value.is_null()) return composite ? 0 : java_hash(kNullPlaceholder);
  const std::string text = STROM_TRY(java_text(type, value));
  if (composite) STROM_TRY(check_composite(text));
  return java_hash(text);
}

}  // namespace

bool is_hudi_key_type(const DataType& type) {
  return !type.is_nested() && type.root != TypeRoot::kBinary && type.root != TypeRoot::kBytes;
}

Result<Buffer> encode_hudi_key(const DataType& key_type, const RowValue& key) {
  uint32_t hash = 1;  // of a Java List
  for (size_t i = 0; i < key.fields.size(); ++i) {
    const auto field_hash = hash_field(key_type.fields[i].type, key.fields[i], key.fields.size() > 1);
    if (!field_hash.ok()) return in_field(key_type.fields[i], field_hash.error());
    hash = hash * 31 + *field_hash;
  }
  Buffer bytes(sizeof(hash));
  store_be(bytes.data(), hash);
  return bytes;
}

}  // namespace strom::format
