#include "base/result.h"

#include <memory>

#include <gtest/gtest.h>

namespace strom {
namespace {

Result<int> parse_digit(char c) {
  if (c < '0' || c > '9') return make_error(ErrorCode::kInvalidConfig, "expected a digit, found '{}'", c);
  return c - '0';
}

Result<int> sum(char a, char b) {
  int left = STROM_TRY(parse_digit(a));
  return left + STROM_TRY(parse_digit(b));
}

Status only_digits(std::string_view text) {
  for (char c : text) STROM_TRY(parse_digit(c));
  return {};
}

// STROM_TRY yields the value, or leaves the function with the first error and its message.
TEST(Result, TryYieldsTheValueOrReturnsTheError) {
  EXPECT_EQ(sum('3', '4').value(), 7);
  Result<int> failed = sum('3', 'x');
  ASSERT_FALSE(failed.ok());
  EXPECT_EQ(failed.code(), ErrorCode::kInvalidConfig);
  EXPECT_EQ(failed.error().message, "expected a digit, found 'x'");
  EXPECT_TRUE(only_digits("0123").ok());
  EXPECT_FALSE(only_digits("01a3").ok());
}

// Values that can only be moved go through a Result and STROM_TRY.
TEST(Result, CarriesMoveOnlyValues) {
  auto make = []() -> Result<std::unique_ptr<int>> { return std::make_unique<int>(5); };
  auto use = [&]() -> Result<int> {
    auto owned = STROM_TRY(make());
    return *owned;
  };
  EXPECT_EQ(use().value(), 5);
}

// Codes have the names and the retry rule of the protocol.
TEST(ErrorCode, HasNameAndRetryRule) {
  EXPECT_EQ(error_name(ErrorCode::kTableNotExist), "TABLE_NOT_EXIST");
  EXPECT_EQ(static_cast<int>(ErrorCode::kInvalidBucketRouting), 74);
  EXPECT_EQ(static_cast<int>(ErrorCode::kUnknownServerError), -1);
  EXPECT_TRUE(is_retriable(ErrorCode::kNotLeaderOrFollower));
  EXPECT_FALSE(is_retriable(ErrorCode::kLogOffsetOutOfRange));
  EXPECT_EQ(error_name(static_cast<ErrorCode>(12345)), "UNKNOWN");
}

}  // namespace
}  // namespace strom
