#include "format/row/decimal.h"

#include <algorithm>

#include <fmt/format.h>

namespace strom::format {
namespace {

using UInt128 = unsigned __int128;

UInt128 magnitude(Int128 value) {
  return value < 0 ? -static_cast<UInt128>(value) : static_cast<UInt128>(value);
}

UInt128 power_of_ten(int exponent) {
  UInt128 power = 1;
  for (int i = 0; i < exponent; ++i) power *= 10;
  return power;
}

Error not_decimal(std::string_view text, int precision, int scale, std::string_view why) {
  return make_error(ErrorCode::kCorruptMessage, "expected a DECIMAL({}, {}) such as -12.5, found \"{}\": {}",
                    precision, scale, text, why);
}

}  // namespace

std::string to_text(const Decimal& decimal) {
  UInt128 rest = magnitude(decimal.unscaled);
  std::string digits;
  do {
    digits += static_cast<char>('0' + static_cast<int>(rest % 10));
    rest /= 10;
  } while (rest != 0);
  const size_t scale = static_cast<size_t>(std::max(decimal.scale, 0));
  if (digits.size() <= scale) digits.append(scale + 1 - digits.size(), '0');
  std::reverse(digits.begin(), digits.end());
  if (scale > 0) digits.insert(digits.size() - scale, 1, '.');
  return decimal.unscaled < 0 ? "-" + digits : digits;
}

bool fits_precision(Int128 unscaled, int precision) {
  return precision >= 1 && precision <= kMaxDecimalPrecision && magnitude(unscaled) < power_of_ten(precision);
}

Result<Decimal> parse_decimal(std::string_view text, int precision, int scale) {
  if (precision < 1 || precision > kMaxDecimalPrecision || scale < 0 || scale > precision)
    return not_decimal(text, precision, scale,
                       "the type is not valid (1 <= precision <= 38, 0 <= scale <= precision)");
  std::string_view rest = text;
  const bool negative = rest.starts_with('-');
  if (negative || rest.starts_with('+')) rest.remove_prefix(1);

  const UInt128 limit = power_of_ten(precision);
  UInt128 value = 0;
  int fraction_digits = -1;  // digits after the point so far; -1 before the point
  bool any_digit = false;
  for (const char c : rest) {
    if (c == '.' && fraction_digits < 0) {
      fraction_digits = 0;
      continue;
    }
    if (c < '0' || c > '9') return not_decimal(text, precision, scale, "not a number");
    any_digit = true;
    if (fraction_digits >= 0 && ++fraction_digits > scale)
      return not_decimal(text, precision, scale, "too many digits after the point");
    value = value * 10 + static_cast<UInt128>(c - '0');
    if (value >= limit) return not_decimal(text, precision, scale, "too many digits");
  }
  if (!any_digit) return not_decimal(text, precision, scale, "not a number");
  for (int i = std::max(fraction_digits, 0); i < scale; ++i) {
    value *= 10;
    if (value >= limit) return not_decimal(text, precision, scale, "too many digits");
  }
  const Int128 unscaled = static_cast<Int128>(value);
  return Decimal{.unscaled = negative ? -unscaled : unscaled, .precision = precision, .scale = scale};
}

Buffer to_big_endian(Int128 value) {
  Buffer bytes(sizeof(Int128));
  for (size_t i = 0; i < bytes.size(); ++i)
    bytes[bytes.size() - 1 - i] = static_cast<uint8_t>(static_cast<UInt128>(value) >> (8 * i));
  // A leading byte that only repeats the sign bit of the next one carries nothing.
  const uint8_t sign = value < 0 ? 0xff : 0x00;
  size_t skip = 0;
  while (skip + 1 < bytes.size() && bytes[skip] == sign && (bytes[skip + 1] & 0x80) == (sign & 0x80)) ++skip;
  bytes.erase(bytes.begin(), bytes.begin() + static_cast<ptrdiff_t>(skip));
  return bytes;
}

Result<Int128> from_big_endian(ByteView bytes) {
  if (bytes.empty() || bytes.size() > sizeof(Int128)) {
    return make_error(ErrorCode::kCorruptRecord, "expected 1 to 16 bytes of a decimal, found {}",
                      bytes.size());
  }
  UInt128 value = (bytes[0] & 0x80) != 0 ? ~static_cast<UInt128>(0) : 0;
  for (const uint8_t byte : bytes) value = value << 8 | byte;
  return static_cast<Int128>(value);
}

}  // namespace strom::format
