#include "rpc/tcp_channel.h"

#include <gtest/gtest.h>

#include "async/join.h"
#include "async/runtime_testing.h"
#include "rpc/connection_host.h"
#include "rpc/messages/produce_log.h"
#include "rpc/proto/database.pb.h"
#include "rpc/typed.h"

namespace strom::rpc {
namespace {

using async::Task;
using namespace std::chrono_literals;

Task<Result<proto::DatabaseExistsResponse>> database_exists(proto::DatabaseExistsRequest request) {
  if (request.database_name() == "bad") co_return make_error(ErrorCode::kInvalidDatabase, "bad is no name");
  proto::DatabaseExistsResponse response;
  response.set_exists(request.database_name() == "fluss");
  co_return response;
}

Task<Result<ProduceLogResponse>> produce(ProduceLogRequest request) {
  ProduceLogResponse response;
  auto size = static_cast<int64_t>(request.buckets.at(0).records.size());
  response.buckets.push_back({.bucket = request.buckets[0].bucket, .base_offset = model::Offset(size)});
  co_return response;
}

Task<Response> never(async::EventLoop& loop, RequestContext context) {
  co_await async::sleep_until(loop, context.deadline);
  co_return make_error(ErrorCode::kRequestTimeOut, "the server's own deadline");
}

// A server with a host on each of two shards, and a channel to it on shard 0. The same tests on the machine's
// network and on the simulated one.
class TcpChannelTest : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    for (size_t shard = 0; shard < 2; ++shard) {
      auto& dispatcher = *dispatchers_.emplace_back(std::make_unique<Dispatcher>());
      async::EventLoop& loop = test_->runtime().loop(shard);
      serve<ApiKey::kDatabaseExists>(dispatcher, [](RequestContext, proto::DatabaseExistsRequest r) {
        return database_exists(std::move(r));
      });
      serve_as<ProduceLogRequest, ProduceLogResponse>(
          dispatcher, ApiKey::kProduceLog,
          [](RequestContext, ProduceLogRequest r) { return produce(std::move(r)); });
      dispatcher.on(ApiKey::kListDatabases,
                    [&loop](RequestContext context, Slice) { return never(loop, std::move(context)); });
      hosts_.push_back(std::make_unique<ConnectionHost>(loop, shard, dispatcher, Limits(), RpcMetrics()));
    }
    test_->run([this] { return start(); });
  }
  void TearDown() override {
    test_->run([this] { return acceptor_->stop(); });
    for (size_t shard = 0; shard < 2; ++shard)
      test_->run([this, shard] { return hosts_[shard]->stop(); }, shard);
  }

  async::EventLoop& loop() { return test_->runtime().loop(0); }
  async::Deadline soon() { return async::Deadline::after(loop(), 20s); }

  Task<void> start() {
    auto listener = test_->runtime().network().listen(loop(), {"localhost", 0}).value();
    acceptor_ =
        std::make_unique<Acceptor>(loop(), std::move(listener), std::vector{hosts_[0].get(), hosts_[1].get()},
                                   Acceptor::Options{.listener_name = "CLIENT"});
    acceptor_->start();
    co_return;
  }
  Task<std::unique_ptr<TcpChannel>> connect(TcpChannel::Options options = {}) {
    auto channel =
        co_await TcpChannel::connect(test_->runtime().network(), loop(), acceptor_->local(), options, soon());
    EXPECT_TRUE(channel.ok()) << channel.error().message;
    co_return std::move(*channel);
  }
  static proto::DatabaseExistsRequest exists_request(const std::string& name) {
    proto::DatabaseExistsRequest request;
    request.set_database_name(name);
    return request;
  }

  std::unique_ptr<async::TestRuntime> test_ = async::make_test_runtime(GetParam());
  std::vector<std::unique_ptr<Dispatcher>> dispatchers_;
  std::vector<std::unique_ptr<ConnectionHost>> hosts_;
  std::unique_ptr<Acceptor> acceptor_;

 public:
  Task<void> calls() {
    for (int connection = 0; connection < 2; ++connection) {  // one per shard
      auto channel = co_await connect();
      EXPECT_TRUE(channel->connected());
      EXPECT_EQ(channel->server_type(), std::nullopt);
      auto yes = co_await call<ApiKey::kDatabaseExists>(*channel, exists_request("fluss"), soon());
      EXPECT_TRUE(yes->exists());
      auto bad = co_await call<ApiKey::kDatabaseExists>(*channel, exists_request("bad"), soon());
      EXPECT_EQ(bad.code(), ErrorCode::kInvalidDatabase);
      EXPECT_EQ(bad.error().message, "bad is no name");
      auto unserved = co_await call<ApiKey::kGetDatabaseInfo>(*channel, {}, soon());
      EXPECT_EQ(unserved.code(), ErrorCode::kUnsupportedVersion);
      auto version = co_await channel->call(ApiKey::kDatabaseExists, 1, Payload(), soon());
      EXPECT_EQ(version.code(), ErrorCode::kUnsupportedVersion);
      co_await channel->close();
    }
  }

  Task<void> pipelined() {
    auto channel = co_await connect({.max_open_requests = 50});
    std::vector<Task<Result<ProduceLogResponse>>> tasks;
    for (size_t i = 0; i < 300; ++i) {
      ProduceLogRequest request{.acks = 1, .table = model::TableId(1)};
      size_t size = i == 100 ? 5'000'000 : i * 10;
      request.buckets.push_back({.bucket = model::BucketId(static_cast<int32_t>(i)),
                                 .records = Slice::own(std::string(size, 'x'))});
      tasks.push_back(call_as<ProduceLogResponse>(*channel, ApiKey::kProduceLog, std::move(request), soon()));
    }
    auto results = co_await async::when_all(loop(), std::move(tasks));
    for (size_t i = 0; i < results.size(); ++i) {
      size_t size = i == 100 ? 5'000'000 : i * 10;
      EXPECT_TRUE(results[i].ok());
      EXPECT_EQ(results[i]->buckets[0].bucket.value, static_cast<int32_t>(i));
      EXPECT_EQ(results[i]->buckets[0].base_offset->value, static_cast<int64_t>(size));
    }
    co_await channel->close();
  }

  Task<void> deadlines() {
    auto channel = co_await connect();
    auto late =
        co_await channel->call(ApiKey::kListDatabases, 0, Payload(), async::Deadline::after(loop(), 20ms));
    EXPECT_EQ(late.code(), ErrorCode::kRequestTimeOut);
    auto yes = co_await call<ApiKey::kDatabaseExists>(*channel, exists_request("fluss"), soon());
    EXPECT_TRUE(yes->exists());
    co_await channel->close();
  }

  Task<void> close_with_open_calls() {
    auto channel = co_await connect();
    auto open = async::start(loop(), channel->call(ApiKey::kListDatabases, 0, Payload(), soon()));
    co_await channel->close();
    auto result = co_await open.join();
    EXPECT_EQ(result.code(), ErrorCode::kNetwork);
    EXPECT_FALSE(channel->connected());
  }

  // The first connection of the test is shard 0's.
  Task<void> server_goes_away() {
    auto channel = co_await connect();
    auto first = async::start(loop(), channel->call(ApiKey::kListDatabases, 0, Payload(), soon()));
    auto second = async::start(loop(), channel->call(ApiKey::kListDatabases, 0, Payload(), soon()));
    co_await hosts_[0]->stop();
    EXPECT_EQ((co_await first.join()).code(), ErrorCode::kNetwork);
    EXPECT_EQ((co_await second.join()).code(), ErrorCode::kNetwork);
    auto later = co_await call<ApiKey::kDatabaseExists>(*channel, exists_request("fluss"), soon());
    EXPECT_EQ(later.code(), ErrorCode::kNetwork);
    co_await channel->close();
  }

  Task<void> nobody_listens() {
    auto address = acceptor_->local();
    co_await acceptor_->stop();
    auto refused = co_await TcpChannel::connect(test_->runtime().network(), loop(), address, {}, soon());
    EXPECT_EQ(refused.code(), ErrorCode::kNetwork);
  }
};

INSTANTIATE_TEST_SUITE_P(Kinds, TcpChannelTest, testing::Values("system", "simulated"),
                         [](const auto& info) { return info.param; });

// Messages and errors come back over a connection to either shard; what the server does not serve is not even
// sent.
TEST_P(TcpChannelTest, Calls) {
  test_->run([this] { return calls(); });
}

// More calls than may be open at once, of very different sizes, each get their own answer.
TEST_P(TcpChannelTest, Pipelined) {
  test_->run([this] { return pipelined(); });
}

// A call ends at its deadline; the connection lives on, and the late answer disturbs nobody.
TEST_P(TcpChannelTest, Deadlines) {
  test_->run([this] { return deadlines(); });
}

// close() fails what is open, and waits for it.
TEST_P(TcpChannelTest, CloseWithOpenCalls) {
  test_->run([this] { return close_with_open_calls(); });
}

// When the server goes away every open call fails with NETWORK_EXCEPTION, and so do later ones.
TEST_P(TcpChannelTest, ServerGoesAway) {
  test_->run([this] { return server_goes_away(); });
}

// A refused connection is an error of the same code.
TEST_P(TcpChannelTest, NobodyListens) {
  test_->run([this] { return nobody_listens(); });
}

}  // namespace
}  // namespace strom::rpc
