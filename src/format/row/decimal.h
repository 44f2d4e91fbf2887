// Decimal: an exact number of up to 38 digits, unscaled * 10^-scale. Any thread.
// On the wire small decimals (precision <= 18) are an int64, larger ones the shortest big-endian two's
// complement bytes of the unscaled number. Format: docs/formats/row-compacted.md. Upstream counterpart:
// row/Decimal.
#pragma once

#include <string>
#include <string_view>

#include "base/bytes.h"
#include "base/result.h"

namespace strom::format {

using Int128 = __int128;

inline constexpr int kMaxDecimalPrecision = 38;
inline constexpr int kMaxCompactDecimalPrecision = 18;  // larger ones do not fit an int64

struct Decimal {
  Int128 unscaled = 0;
  int precision = 1;  // of the column's type: 1..38
  int scale = 0;      // 0..precision

  friend bool operator==(const Decimal&, const Decimal&) = default;
};

// "-12345.67"; always `scale` digits after the point.
std::string to_text(const Decimal& decimal);
// Reads "-12345.67" into the given precision and scale. Fails for what is not a number, has more digits after
// the point than `scale` or does not fit the precision.
Result<Decimal> parse_decimal(std::string_view text, int precision, int scale);

// True when |unscaled| has at most `precision` digits.
bool fits_precision(Int128 unscaled, int precision);

// The shortest big-endian two's complement form, at least one byte (0 is 00, 128 is 0080, -128 is 80).
Buffer to_big_endian(Int128 value);
// The reverse; accepts longer forms than the shortest. Fails for no bytes and for more than 16.
Result<Int128> from_big_endian(ByteView bytes);

}  // namespace strom::format
