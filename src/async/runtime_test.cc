// The contract of Runtime, held by the machine and by the simulator alike.
#include <gtest/gtest.h>

#include "async/join.h"
#include "async/runtime_testing.h"
#include "async/sharded.h"

namespace strom::async {
namespace {

using namespace std::chrono_literals;

class RuntimeContract : public testing::TestWithParam<std::string> {
 protected:
  std::unique_ptr<TestRuntime> test_ = make_test_runtime(GetParam());
  Runtime& runtime() { return test_->runtime(); }
  Disk& disk() { return runtime().disk(); }
  std::string path(std::string_view name) { return join_path(test_->directory(), name); }
};

INSTANTIATE_TEST_SUITE_P(Kinds, RuntimeContract, testing::Values("system", "simulated"),
                         [](const auto& info) { return info.param; });

Buffer bytes(std::string_view text) { return {text.begin(), text.end()}; }

// What was written is read back, across parts and holes; a read past the end is short.
TEST_P(RuntimeContract, FileReadsWhatWasWritten) {
  auto file = disk().open(path("f"), OpenMode::kCreate).value();
  ByteView parts[] = {as_bytes("hello "), as_bytes(""), as_bytes("world")};
  ASSERT_TRUE(file->write(0, parts).ok());
  Buffer read(20);
  EXPECT_EQ(file->read(0, read).value(), 11u);
  EXPECT_EQ(as_text(ByteView(read).first(11)), "hello world");
  EXPECT_EQ(file->read(11, read).value(), 0u);
  ASSERT_TRUE(file->truncate(5).ok());
  EXPECT_EQ(file->size().value(), 5u);
  Buffer five(5);
  if (auto cached = file->read_cached(0, five)) {
    EXPECT_EQ(as_text(five), "hello");
  }
  EXPECT_TRUE(file->sync().ok());
}

// Files are listed, renamed over others, and removed; errors name the path.
TEST_P(RuntimeContract, DirectoriesListRenameAndRemove) {
  ASSERT_TRUE(disk().create_directories(path("a/b")).ok());
  ASSERT_TRUE(disk().replace_file(path("a/one"), as_bytes("1")).ok());
  ASSERT_TRUE(disk().replace_file(path("a/two"), as_bytes("2")).ok());
  auto entries = disk().list(path("a")).value();
  ASSERT_EQ(entries.size(), 3u);
  EXPECT_EQ(entries[0].name, "b");
  EXPECT_TRUE(entries[0].is_directory);
  EXPECT_EQ(entries[1].name, "one");
  EXPECT_FALSE(entries[1].is_directory);
  ASSERT_TRUE(disk().rename(path("a/two"), path("a/one")).ok());
  EXPECT_EQ(disk().read_file(path("a/one")).value(), bytes("2"));
  EXPECT_FALSE(disk().exists(path("a/two")));
  auto missing = disk().open(path("a/two"), OpenMode::kRead);
  ASSERT_FALSE(missing.ok());
  EXPECT_NE(missing.error().message.find("a/two"), std::string::npos);
  EXPECT_TRUE(disk().remove(path("a/two")).ok());
  ASSERT_TRUE(disk().remove_all(path("a")).ok());
  EXPECT_FALSE(disk().exists(path("a/one")));
}

// A directory has one user at a time.
TEST_P(RuntimeContract, LockIsExclusive) {
  auto held = disk().lock(path(".lock"));
  ASSERT_TRUE(held.ok());
  EXPECT_FALSE(disk().lock(path(".lock")).ok());
  held.value().reset();
  EXPECT_TRUE(disk().lock(path(".lock")).ok());
}

// A writer keeps the order of submission, and its results arrive on the loop that asked.
TEST_P(RuntimeContract, WriterKeepsOrder) {
  auto writer = runtime().make_writer("writer");
  std::vector<int> order;
  auto work = [&]() -> Task<void> {
    std::vector<Task<int>> calls;
    for (int i = 0; i < 20; ++i) {
      calls.push_back(run_on(*writer, runtime().loop(0), [&order, i] {
        order.push_back(i);
        return i;
      }));
    }
    auto results = co_await when_all(runtime().loop(0), std::move(calls));
    EXPECT_EQ(results.size(), 20u);
    EXPECT_EQ(results[7], 7);
    EXPECT_TRUE(runtime().loop(0).is_current());
  };
  test_->run(work);
  EXPECT_TRUE(std::ranges::is_sorted(order));
  EXPECT_EQ(order.size(), 20u);
}

Task<void> echo(std::unique_ptr<Connection> connection) {
  Buffer buffer(4096);
  while (true) {
    auto count = co_await connection->read(buffer, Deadline{});
    if (!count.ok() || *count == 0) break;
    auto written = co_await connection->write({Slice::copy(ByteView(buffer).first(*count))}, Deadline{});
    if (!written.ok()) break;
  }
  connection->close();
}

Task<void> serve_one(Listener& listener, EventLoop& loop, TaskScope& scope) {
  auto accepted = co_await listener.accept(loop);
  EXPECT_TRUE(accepted.ok());
  scope.spawn(echo(std::move(*accepted)));
}

// Bytes arrive in order and whole, in both directions, larger than any buffer on the way; the end of one side
// is seen by the other; nobody listens on a closed port.
TEST_P(RuntimeContract, ConnectionsCarryBytes) {
  EventLoop& loop = runtime().loop(0);
  auto work = [&]() -> Task<void> {
    auto listener = runtime().network().listen(loop, {"localhost", 0}).value();
    TaskScope scope(loop);
    scope.spawn(serve_one(*listener, loop, scope));
    auto client = co_await runtime().network().connect(loop, {"localhost", listener->local().port},
                                                       Deadline::after(loop, 10s));
    EXPECT_TRUE(client.ok());
    Buffer sent(3 << 20);
    for (size_t i = 0; i < sent.size(); ++i) sent[i] = static_cast<uint8_t>(i * 7 + (i >> 9));
    std::vector<Slice> parts{Slice::copy(ByteView(sent).first(10)), Slice(),
                             Slice::copy(ByteView(sent).subspan(10))};
    auto write = start(loop, (*client)->write(std::move(parts), Deadline::after(loop, 20s)));
    Buffer received(sent.size());
    size_t done = 0;
    while (done < received.size()) {
      auto count = co_await (*client)->read(MutableBytes(received).subspan(done), Deadline::after(loop, 20s));
      EXPECT_TRUE(count.ok() && *count > 0);
      if (!count.ok() || *count == 0) break;
      done += *count;
    }
    EXPECT_TRUE((co_await write.join()).ok());
    EXPECT_EQ(received, sent);
    (*client)->close();
    co_await scope.stop();
    int port = listener->local().port;
    listener->close();
    auto refused =
        co_await runtime().network().connect(loop, {"localhost", port}, Deadline::after(loop, 10s));
    EXPECT_FALSE(refused.ok());
    EXPECT_EQ(refused.code(), ErrorCode::kNetwork);
  };
  test_->run(work);
}

// A read ends at its deadline and when its owner stops.
TEST_P(RuntimeContract, ReadsEndAtTheDeadline) {
  EventLoop& loop = runtime().loop(0);
  auto work = [&]() -> Task<void> {
    auto listener = runtime().network().listen(loop, {"localhost", 0}).value();
    auto accepting = start(loop, listener->accept(loop));
    auto client = co_await runtime().network().connect(loop, {"localhost", listener->local().port},
                                                       Deadline::after(loop, 10s));
    auto server = co_await accepting.join();
    Buffer buffer(10);
    EXPECT_FALSE((co_await (*client)->read(buffer, Deadline::after(loop, 5ms))).ok());
    TaskScope scope(loop);
    auto reading = start(loop, (*client)->read(buffer, scope.until_stopped()));
    scope.request_stop();
    EXPECT_FALSE((co_await reading.join()).ok());
    listener->close();
  };
  test_->run(work);
}

struct Counter {
  std::vector<int> seen;
};

Task<int> remember(Counter& counter, int value) {
  counter.seen.push_back(value);
  co_return value * 2;
}

// Calls reach another shard in order and bring their value back; a shard that stops refuses.
TEST_P(RuntimeContract, ShardsCallEachOther) {
  Counter counters[2];
  TaskScope first(runtime().loop(0));
  TaskScope second(runtime().loop(1));
  Sharded<Counter> sharded({&counters[0], &counters[1]}, {&first, &second});
  auto work = [&]() -> Task<void> {
    std::vector<Task<int>> calls;
    for (int i = 0; i < 10; ++i) {
      calls.push_back(
          sharded.on(runtime().loop(0), 1, [i](Counter& counter) { return remember(counter, i); }, -1));
    }
    auto results = co_await when_all(runtime().loop(0), std::move(calls));
    EXPECT_EQ(results[9], 18);
    EXPECT_EQ(co_await sharded.on(runtime().loop(0), 0, [](Counter& c) { return remember(c, 4); }, -1), 8);
    co_await sharded.on(
        runtime().loop(0), 1,
        [&second](Counter&) {
          second.request_stop();
          return true;
        },
        false);
    EXPECT_EQ(co_await sharded.on(runtime().loop(0), 1, [](Counter& c) { return remember(c, 5); }, -1), -1);
  };
  test_->run(work);
  EXPECT_EQ(counters[1].seen, (std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
}

}  // namespace
}  // namespace strom::async
