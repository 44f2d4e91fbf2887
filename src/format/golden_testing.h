// Golden bytes for tests: what the published Fluss classes wrote, kept in tests/golden. Tests only.
#pragma once

#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "base/bytes.h"

namespace strom::format {

// tests/golden/log_batch/NAME.hex as bytes; fails the test when the file can't be read.
inline Buffer golden_batch(const std::string& name) {
  std::ifstream file(std::string(STROM_SOURCE_DIR) + "/tests/golden/log_batch/" + name + ".hex");
  std::string hex;
  file >> hex;
  Buffer bytes = from_hex(hex);
  EXPECT_FALSE(bytes.empty()) << "no golden batch " << name;
  return bytes;
}

inline const std::vector<std::string>& golden_batch_names() {
  static const std::vector<std::string> names = {"indexed",       "compacted",     "arrow",
                                                 "arrow_changes", "arrow_lz4_raw", "arrow_statistics",
                                                 "arrow_zstd",    "arrow_lz4"};
  return names;
}

}  // namespace strom::format
