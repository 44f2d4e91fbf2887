#include "log/index_file.h"

#include <gtest/gtest.h>

#include "log/log_testing.h"

namespace strom::log {
namespace {

using testing::SimSite;

Buffer contents(async::Disk& disk, const std::string& path) { return disk.read_file(path).value(); }

// Entries have Fluss's layout: big-endian, 8 and 12 bytes.
TEST(IndexFile, Layout) {
  uint8_t offset[OffsetEntry::kSize];
  OffsetEntry{0x01020304, 0x05060708}.encode(offset);
  EXPECT_EQ(to_hex(offset), "0102030405060708");
  EXPECT_EQ(OffsetEntry::decode(offset), (OffsetEntry{0x01020304, 0x05060708}));
  uint8_t time[TimeEntry::kSize];
  TimeEntry{0x0102030405060708, 0x090a0b0c}.encode(time);
  EXPECT_EQ(to_hex(time), "0102030405060708090a0b0c");
  EXPECT_EQ(TimeEntry::decode(time), (TimeEntry{0x0102030405060708, 0x090a0b0c}));
}

// Entries are found in memory until they are written, then in the file; those taken for writing are written
// in order, each once.
TEST(IndexFile, FloorInFileAndMemory) {
  SimSite site(1);
  const std::string path = "/data/test.index";
  ASSERT_TRUE(site.files->create(path).ok());
  SparseIndex<OffsetEntry> index;
  SegmentIo io(*site.files, SegmentIo::Mode::kBlocking);
  int32_t added = 0;
  for (int32_t step : {700, 600, 1, 900}) {
    for (int32_t i = 0; i < step; ++i, ++added) index.add({3 * added, added});
    if (step == 900) break;  // these stay in memory
    IndexWrite write = index.take();
    EXPECT_EQ(index.take().bytes.size(), 0u);
    ASSERT_TRUE(write_index(*site.files, path, write).ok());
    index.written(write.bytes.size());
  }
  EXPECT_EQ(contents(site.runtime->disk(), path).size(), 1301 * OffsetEntry::kSize);
  EXPECT_EQ(index.in_file(), 1301u);
  EXPECT_EQ(index.count(), 2201u);
  for (int64_t key = -1; key < 3 * added + 5; ++key) {
    auto found = find_floor(io, path, index.in_file(), index.recent(), key).value();
    if (key < 0) {
      EXPECT_FALSE(found.has_value());
    } else {
      ASSERT_TRUE(found.has_value()) << key;
      EXPECT_EQ(found->position, std::min<int64_t>(key / 3, added - 1)) << key;
    }
  }
}

// An entry that does not grow is left out.
TEST(IndexFile, KeysGrow) {
  SparseIndex<TimeEntry> index;
  index.add({10, 1});
  index.add({10, 2});
  index.add({9, 3});
  index.add({11, 4});
  EXPECT_EQ(index.recent(), (std::vector<TimeEntry>{{10, 1}, {11, 4}}));
}

// A path that was forgotten means what is there now, and the bound holds.
TEST(FileCache, ForgetsAndEvicts) {
  SimSite site(2);
  async::Disk& disk = site.runtime->disk();
  FileCache files(disk, 2);
  for (const char* name : {"/data/a", "/data/b", "/data/c"}) {
    ASSERT_TRUE(files.create(name).ok());
    ASSERT_TRUE(files.open(name).value()->write(0, as_bytes(name)).ok());
  }
  EXPECT_EQ(files.open_files(), 2u);
  EXPECT_EQ(files.find("/data/a"), nullptr);
  EXPECT_NE(files.find("/data/c"), nullptr);

  files.forget("/data/c");
  ASSERT_TRUE(disk.rename("/data/b", "/data/c").ok());
  Buffer bytes(7);
  EXPECT_EQ(files.open("/data/c").value()->read(0, bytes).value(), 7u);
  EXPECT_EQ(as_text(bytes), "/data/b");
  files.forget_below("/data");
  EXPECT_EQ(files.open_files(), 0u);
}

}  // namespace
}  // namespace strom::log
