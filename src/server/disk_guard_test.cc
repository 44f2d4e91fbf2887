#include "server/disk_guard.h"

#include <gtest/gtest.h>

namespace strom::server {
namespace {

// Writes stop at the limit, stay stopped until the recovery share, and each change is told once (D-7).
TEST(DiskGuard, LocksAtTheLimitAndRecoversBelow) {
  DiskGuard guard(0.85, 0.80);
  EXPECT_FALSE(guard.update({100, 16}));
  EXPECT_FALSE(guard.locked());
  EXPECT_TRUE(guard.update({100, 15}));
  EXPECT_TRUE(guard.locked());
  EXPECT_FALSE(guard.update({100, 18}));
  EXPECT_TRUE(guard.locked());
  EXPECT_TRUE(guard.update({100, 20}));
  EXPECT_FALSE(guard.locked());
  EXPECT_FALSE(guard.update({0, 0}));
}

}  // namespace
}  // namespace strom::server
