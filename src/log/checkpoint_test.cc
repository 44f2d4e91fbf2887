#include "log/checkpoint.h"

#include <gtest/gtest.h>

#include "log/disk_properties.h"
#include "log/log_testing.h"

namespace strom::log {
namespace {

using model::Offset;

model::TableBucket partitioned(int64_t table, int64_t partition, int32_t bucket) {
  return {model::TableId(table), model::PartitionId(partition), model::BucketId(bucket)};
}

// The text is Fluss's, for tables with and without partitions, and reads back.
TEST(Checkpoint, Text) {
  OffsetMap offsets;
  offsets[testing::bucket(0, 150001)] = Offset(10);
  offsets[partitioned(150001, 7, 1)] = Offset(5);
  const std::string text = render_checkpoint(offsets);
  EXPECT_EQ(text, "0\n2\n150001 0 10\n150001 7 1 5\n");
  EXPECT_EQ(parse_checkpoint(text).value(), offsets);
  EXPECT_EQ(parse_checkpoint("0\n0\n").value(), OffsetMap());
}

// A file that is not whole is no checkpoint: offsets that miss would be taken for 0.
TEST(Checkpoint, RefusesDamage) {
  for (std::string_view text :
       {"", "1\n0\n", "0\n", "0\n2\n1 0 10\n", "0\n1\n1 0\n", "0\n1\n1 0 10 2 3\n", "0\n1\n1 0 -1\n",
        "0\n1\n1 x 5\n", "0\n1\n1 99999999999 5\n", "0\n0\n1 0 10\n", "\0\0\0\0"}) {
    EXPECT_FALSE(parse_checkpoint(text).ok()) << text;
  }
}

// What is written is there after a power loss; a damaged file is an error and leaves nothing.
TEST(Checkpoint, FileSurvivesPowerLoss) {
  testing::SimSite site(1);
  OffsetCheckpoint checkpoint(site.runtime->disk(), "/data/test-checkpoint");
  ASSERT_TRUE(checkpoint.load().ok());
  checkpoint.set(testing::bucket(1), Offset(11));
  ASSERT_TRUE(checkpoint.write().ok());
  site.crash(async::Crash::kPowerLoss, nullptr);
  site.boot();
  OffsetCheckpoint again(site.runtime->disk(), "/data/test-checkpoint");
  ASSERT_TRUE(again.load().ok());
  EXPECT_EQ(again.get(testing::bucket(1)), Offset(11));

  site.disk().flip_bit("/data/test-checkpoint", 0, 3);
  EXPECT_EQ(again.load().code(), ErrorCode::kLogStorage);
  EXPECT_EQ(again.get(testing::bucket(1)), std::nullopt);
}

// A bucket that was erased leaves the file at the latest when erase_durably() returns.
TEST(Checkpoint, EraseDurably) {
  testing::SimSite site(1);
  OffsetCheckpoint checkpoint(site.runtime->disk(), "/data/test-checkpoint");
  checkpoint.set(testing::bucket(1), Offset(11));
  ASSERT_TRUE(checkpoint.write().ok());
  checkpoint.erase(testing::bucket(1));
  ASSERT_TRUE(checkpoint.erase_durably(testing::bucket(1)).ok());
  OffsetCheckpoint again(site.runtime->disk(), "/data/test-checkpoint");
  ASSERT_TRUE(again.load().ok());
  EXPECT_EQ(again.get(testing::bucket(1)), std::nullopt);
}

// disk.properties reads back, and in the form that Java writes: comments, order, spaces.
TEST(DiskProperties, Text) {
  const std::string id = make_disk_id(0x0123456789abcdef, 0xfedcba9876543210);
  EXPECT_EQ(id, "01234567-89ab-4def-bedc-ba9876543210");
  auto parsed = parse_disk_properties(render_disk_properties({id, model::ServerId(3)})).value();
  EXPECT_EQ(parsed.disk_id, id);
  EXPECT_EQ(parsed.server, model::ServerId(3));
  auto java = parse_disk_properties("#Mon Jan 01\r\nserver.id = 2\r\ndisk.id=abc\r\nversion=1\r\n").value();
  EXPECT_EQ(java.disk_id, "abc");
  EXPECT_EQ(java.server, model::ServerId(2));
  EXPECT_FALSE(parse_disk_properties("version=2\ndisk.id=a\nserver.id=1").ok());
  EXPECT_FALSE(parse_disk_properties("version=1\nserver.id=1").ok());
  EXPECT_FALSE(parse_disk_properties("version=1\ndisk.id=a\nserver.id=one").ok());
}

}  // namespace
}  // namespace strom::log
