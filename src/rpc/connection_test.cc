#include "rpc/connection.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rpc/connection_testing.h"

namespace strom::rpc {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;

ResponseFrame frame_of(const std::string& bytes) {
  return decode_response(Slice::copy(as_bytes(bytes))).value();
}
std::string body_of(const std::string& bytes) { return to_string(frame_of(bytes).body.view()); }
Slice hex_bytes(std::string_view digits) { return Slice::own(from_hex(digits)); }

// Requests start in the order of arrival; a fast answer overtakes a slow one and carries its own id.
TEST(ServerConnection, AnswersMayOvertake) {
  TestServer server({});
  RawClient client(server);
  Payload both = request_frame(ApiKey::kDatabaseExists, 5, "slow");
  both.add(request_frame(ApiKey::kListDatabases, 6, "fast"));
  client.send(both);
  ASSERT_TRUE(client.wait_for_frames(1));
  EXPECT_THAT(server.started, ElementsAre("slow", "fast"));
  EXPECT_EQ(frame_of(client.frames()[0]).id, RequestId(6));
  server.release();
  ASSERT_TRUE(client.wait_for_frames(2));
  EXPECT_EQ(frame_of(client.frames()[1]).id, RequestId(5));
  EXPECT_EQ(body_of(client.frames()[1]), "slow");
}

// A thousand pipelined requests of all sizes, cut anywhere by the network, start in order and are all
// answered.
TEST(ServerConnection, ManyFramesOfAllSizes) {
  for (uint64_t seed : {1, 2, 3}) {
    TestServer server({}, seed);
    RawClient client(server);
    Payload all;
    std::vector<std::string> bodies;
    for (int i = 0; i < 1000; ++i) {
      size_t size = i % 100 == 99 ? 20'000 + server.world().random(0, 50'000) : server.world().random(0, 300);
      bodies.push_back(std::string(size, static_cast<char>('a' + i % 26)));
      all.add(request_frame(ApiKey::kListDatabases, i, bodies.back()));
    }
    client.send(all);
    ASSERT_TRUE(client.wait_for_frames(1000)) << "seed " << seed;
    EXPECT_EQ(server.started, bodies);
    auto frames = client.frames();
    for (int i = 0; i < 1000; ++i) {
      ASSERT_EQ(frame_of(frames[i]).id, RequestId(i));
      ASSERT_EQ(body_of(frames[i]), bodies[i]);
    }
  }
}

// What can't be a frame is answered with a server failure, after the answers of what came before, and then
// the end.
TEST(ServerConnection, MalformedLengths) {
  for (const char* length : {"ffffffff", "80000000", "00000000", "00000007", "00002001", "7fffffff"}) {
    TestServer server({.max_request_size = 8192});
    RawClient client(server);
    Payload bytes = request_frame(ApiKey::kListDatabases, 1, "good");
    bytes.add(hex_bytes(length));
    client.send(bytes);
    ASSERT_TRUE(client.wait_for_end()) << length;
    ASSERT_EQ(client.frames().size(), 2u) << length;
    EXPECT_EQ(body_of(client.frames()[0]), "good");
    ResponseFrame failure = frame_of(client.frames()[1]);
    EXPECT_EQ(failure.type, ResponseType::kServerFailure);
    EXPECT_NE(decode_error(failure.body.view()).message.find("length"), std::string::npos);
    EXPECT_EQ(server.host().connections(), 0u);
  }
}

// A frame of exactly the largest size is served.
TEST(ServerConnection, LargestFrame) {
  TestServer server({.max_request_size = 8192});
  RawClient client(server);
  client.send(request_frame(ApiKey::kListDatabases, 1, std::string(8192 - 8, 'x')));
  ASSERT_TRUE(client.wait_for_frames(1));
  EXPECT_EQ(body_of(client.frames()[0]).size(), 8184u);
}

// A frame that stays half - in its length, its header or its body - is given up after some patience, with a
// word.
TEST(ServerConnection, HalfFrames) {
  std::string whole = to_string(request_frame(ApiKey::kListDatabases, 1, "0123456789").flatten().view());
  for (size_t size : {size_t{2}, size_t{4}, size_t{9}, size_t{12}, size_t{21}}) {
    TestServer server({.patience = 30s});
    RawClient client(server);
    client.send(Slice::own(whole.substr(0, size)));
    server.world().run_for(29s);
    EXPECT_THAT(client.frames(), IsEmpty()) << size;
    ASSERT_TRUE(client.wait_for_frames(1)) << size;
    EXPECT_EQ(frame_of(client.frames()[0]).type, ResponseType::kServerFailure);
    ASSERT_TRUE(client.wait_for_end()) << size;
    EXPECT_THAT(server.started, IsEmpty());
  }
}

// A client that goes away within a frame, or with requests open, leaves nothing behind.
TEST(ServerConnection, ClientGoesAway) {
  TestServer server({});
  {
    RawClient client(server);
    client.send(request_frame(ApiKey::kDatabaseExists, 1, "open"));
    client.send(hex_bytes("000000"));
    server.world().run_for(1s);
    EXPECT_EQ(server.host().connections(), 1u);
  }
  server.world().run_for(5s);
  EXPECT_EQ(server.host().connections(), 0u);
  EXPECT_THAT(server.ended_early, ElementsAre("open"));
}

// An idle connection is closed; one with an open request is not idle.
TEST(ServerConnection, IdleTime) {
  TestServer server({.max_idle = 60s, .request_timeout = 1h});
  RawClient idle(server);
  RawClient busy(server);
  busy.send(request_frame(ApiKey::kDatabaseExists, 1, "open"));
  server.world().run_for(59s);
  EXPECT_FALSE(idle.ended());
  server.world().run_for(2s);
  EXPECT_TRUE(idle.ended());
  EXPECT_THAT(idle.frames(), IsEmpty());
  server.world().run_for(120s);
  EXPECT_FALSE(busy.ended());
  server.release();
  ASSERT_TRUE(busy.wait_for_frames(1));
  server.world().run_for(62s);
  EXPECT_TRUE(busy.ended());
}

// Traffic starts the idle time anew.
TEST(ServerConnection, TrafficIsNotIdle) {
  TestServer server({.max_idle = 60s});
  RawClient client(server);
  for (int i = 0; i < 5; ++i) {
    server.world().run_for(50s);
    client.send(request_frame(ApiKey::kListDatabases, i, "ping"));
  }
  ASSERT_TRUE(client.wait_for_frames(5));
  EXPECT_FALSE(client.ended());
}

// With as many requests open as allowed, the next is not started until one is answered.
TEST(ServerConnection, OpenRequestsAreBounded) {
  TestServer server({.max_requests_per_connection = 2});
  RawClient client(server);
  for (int i = 0; i < 4; ++i) client.send(request_frame(ApiKey::kDatabaseExists, i, std::to_string(i)));
  server.world().run_for(5s);
  EXPECT_THAT(server.started, ElementsAre("0", "1"));
  server.release();
  ASSERT_TRUE(client.wait_for_frames(2));
  server.world().run_for(1s);
  EXPECT_THAT(server.started, ElementsAre("0", "1", "2", "3"));
  server.release();
  ASSERT_TRUE(client.wait_for_frames(4));
}

// A client that does not take its answers has no more requests started, and costs no more memory than the
// bound and what was being answered; when it reads again everything arrives.
TEST(ServerConnection, UntakenAnswersPushBack) {
  TestServer server({.max_output_backlog = 1 << 20});
  server.answer_bytes = 300'000;
  RawClient client(server);
  client.stop_reading();
  for (int i = 0; i < 30; ++i) client.send(request_frame(ApiKey::kFetchLog, i, "fetch"));
  server.world().run_for(5s);
  size_t started = server.started.size();
  EXPECT_GE(started, 4u);
  EXPECT_LE(started, 6u);
  server.world().run_for(60s);
  EXPECT_EQ(server.started.size(), started);
  client.read_again();
  ASSERT_TRUE(client.wait_for_frames(30));
  EXPECT_EQ(body_of(client.frames()[29]).size(), 300'000u);
}

// A connection whose input comes in one piece, and which counts the writes.
class ScriptedConnection final : public async::Connection {
 public:
  ScriptedConnection(async::EventLoop& loop, std::string input, std::vector<size_t>& writes)
      : input_(std::move(input)), writes_(writes), closed_(loop) {}
  async::Task<Result<size_t>> read(MutableBytes into, async::Deadline deadline) override {
    if (input_.empty()) {
      async::WaitResult ignored = co_await closed_.wait(deadline);
      (void)ignored;
      co_return size_t{0};
    }
    size_t count = std::min(into.size(), input_.size());
    std::memcpy(into.data(), input_.data(), count);
    input_.erase(0, count);
    co_return count;
  }
  async::Task<Status> write(std::vector<Slice> parts, async::Deadline) override {
    size_t bytes = 0;
    for (const Slice& part : parts) bytes += part.size();
    writes_.push_back(bytes);
    co_return Status();
  }
  void close() override { closed_.notify_all(); }
  std::string peer() const override { return "script"; }

 private:
  std::string input_;
  std::vector<size_t>& writes_;
  async::WaitList closed_;
};

// The answers to requests that came in one read leave in one write.
TEST(ServerConnection, WritesAreBatched) {
  async::SimWorld world(1);
  auto runtime = world.add_machine("a").boot();
  async::EventLoop& loop = runtime->loop(0);
  Dispatcher dispatcher;
  std::string input;
  for (int i = 0; i < 100; ++i) input += to_string(request_frame(ApiKey(42), i, "").flatten().view());
  std::vector<size_t> writes;
  ConnectionHost host(loop, 0, dispatcher, {}, RpcMetrics());
  async::TaskScope stopper(loop);
  loop.post([&] { host.serve(std::make_unique<ScriptedConnection>(loop, input, writes), {}); });
  world.run_for(1s);
  ASSERT_EQ(writes.size(), 1u);
  EXPECT_GT(writes[0], 100u * 9);
  loop.post([&] { stopper.spawn(host.stop()); });
  world.run_for(1s);
  EXPECT_EQ(host.connections(), 0u);
}

// Writes that wait hold their reserve of memory: more writes wait, other requests don't.
TEST(ServerConnection, MemoryIsReservedBeforeABodyIsRead) {
  TestServer server({.write_bytes = 1000, .other_bytes = 1000});
  RawClient first(server);
  RawClient second(server);
  RawClient third(server);
  first.send(request_frame(ApiKey::kProduceLog, 1, std::string(900, 'a')));
  server.world().run_for(1s);
  second.send(request_frame(ApiKey::kProduceLog, 2, std::string(200, 'b')));
  server.world().run_for(1s);
  EXPECT_EQ(server.started.size(), 1u);
  third.send(request_frame(ApiKey::kListDatabases, 3, std::string(900, 'c')));
  ASSERT_TRUE(third.wait_for_frames(1));
  EXPECT_EQ(server.started.size(), 2u);
  server.release();
  server.world().run_for(1s);
  EXPECT_EQ(server.started.size(), 3u);
  EXPECT_EQ(server.started[2], std::string(200, 'b'));
  server.release();
  ASSERT_TRUE(second.wait_for_frames(1));
}

// Unknown keys are answered, and the connection goes on.
TEST(ServerConnection, UnknownKey) {
  TestServer server({});
  RawClient client(server);
  client.send(request_frame(ApiKey(42), 9, "?"));
  client.send(request_frame(ApiKey::kListDatabases, 10, "next"));
  ASSERT_TRUE(client.wait_for_frames(2));
  ResponseFrame refused = frame_of(client.frames()[0]);
  EXPECT_EQ(refused.type, ResponseType::kError);
  EXPECT_EQ(refused.id, RequestId(9));
  EXPECT_EQ(decode_error(refused.body.view()).code, ErrorCode::kUnsupportedVersion);
  EXPECT_EQ(body_of(client.frames()[1]), "next");
}

// A request's waits end after the time for requests.
TEST(ServerConnection, RequestTimeout) {
  TestServer server({.request_timeout = 3s});
  RawClient client(server);
  client.send(request_frame(ApiKey::kDatabaseExists, 1, "slow"));
  ASSERT_TRUE(client.wait_for_frames(1));
  EXPECT_EQ(decode_error(frame_of(client.frames()[0]).body.view()).code, ErrorCode::kRequestTimeOut);
}

// Stopping the host ends requests and connections, and refuses new ones.
TEST(ConnectionHost, Stop) {
  TestServer server({});
  RawClient client(server);
  client.send(request_frame(ApiKey::kDatabaseExists, 1, "open"));
  server.world().run_for(1s);
  server.stop_host();
  EXPECT_EQ(server.host().connections(), 0u);
  EXPECT_TRUE(client.wait_for_end());
  RawClient late(server);
  EXPECT_TRUE(late.wait_for_end());
}

// Connections beyond the bound are closed, the others live.
TEST(ConnectionHost, TooManyConnections) {
  TestServer server({.max_connections = 1});
  RawClient first(server);
  RawClient second(server);
  EXPECT_TRUE(second.wait_for_end());
  first.send(request_frame(ApiKey::kListDatabases, 1, "alive"));
  EXPECT_TRUE(first.wait_for_frames(1));
}

}  // namespace
}  // namespace strom::rpc
