#include "base/crc32c.h"

#include <gtest/gtest.h>

namespace strom {
namespace {

// The check value of CRC-32C, and that a checksum can be continued over parts.
TEST(Crc32c, HasTheCastagnoliCheckValueAndContinues) {
  EXPECT_EQ(crc32c(as_bytes("123456789")), 0xe3069283u);
  EXPECT_EQ(crc32c(as_bytes("6789"), crc32c(as_bytes("12345"))), 0xe3069283u);
  EXPECT_EQ(crc32c({}), 0u);
}

}  // namespace
}  // namespace strom
