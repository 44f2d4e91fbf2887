#include "rpc/output_queue.h"

#include <gtest/gtest.h>

namespace strom::rpc {
namespace {

// Small pieces are joined, large ones are the very slices that were added, and the order is kept.
TEST(OutputQueue, JoinsSmallAndKeepsLarge) {
  Slice large = Slice::own(std::string(OutputQueue::kCopyBelow, 'L'));
  OutputQueue queue;
  queue.add(Slice::own(std::string("ab")));
  Payload mixed(Slice::own(std::string("cd")));
  mixed.add(large);
  mixed.add(Slice::own(std::string("e")));
  queue.add(mixed);
  queue.add(Slice::own(std::string("f")));
  EXPECT_EQ(queue.size(), 6 + large.size());
  std::vector<Slice> parts = queue.take();
  ASSERT_EQ(parts.size(), 3u);
  EXPECT_EQ(to_string(parts[0].view()), "abcd");
  EXPECT_EQ(parts[1].data(), large.data());
  EXPECT_EQ(to_string(parts[2].view()), "ef");
  EXPECT_TRUE(queue.empty());
  EXPECT_TRUE(queue.take().empty());
}

}  // namespace
}  // namespace strom::rpc
