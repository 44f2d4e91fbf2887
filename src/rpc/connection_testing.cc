#include "rpc/connection_testing.h"

#include "base/endian.h"

namespace strom::rpc {
namespace {

using async::Task;
using namespace std::chrono_literals;

Task<Response> answer_at_once(Slice body) { co_return Response(std::move(body)); }

Task<Response> answer_when_released(TestServer& server, async::WaitList& gate, RequestContext context,
                                    Slice body) {
  async::WaitResult result = co_await gate.wait(context.deadline);
  if (result != async::WaitResult::kReady) {
    server.ended_early.push_back(to_string(body.view()));
    co_return make_error(ErrorCode::kRequestTimeOut, "not released");
  }
  co_return Response(std::move(body));
}

Task<void> stop_all(Acceptor* acceptor, ConnectionHost& host, bool& done) {
  if (acceptor != nullptr) co_await acceptor->stop();
  co_await host.stop();
  done = true;
}

}  // namespace

TestServer::TestServer(const Limits& limits, uint64_t seed) : world_(seed) {
  server_ = world_.add_machine("server").boot();
  client_ = world_.add_machine("client").boot();
  async::EventLoop& loop = server_->loop(0);
  gate_ = std::make_unique<async::WaitList>(loop);
  stopper_ = std::make_unique<async::TaskScope>(loop);
  register_handlers();
  host_ = std::make_unique<ConnectionHost>(loop, 0, dispatcher_, limits, RpcMetrics());
  auto listener = server_->network().listen(loop, {"server", 0}).value();
  acceptor_ = std::make_unique<Acceptor>(loop, std::move(listener), std::vector{host_.get()},
                                         Acceptor::Options{.listener_name = "CLIENT"});
  loop.post([this] { acceptor_->start(); });
}

TestServer::~TestServer() {
  if (!stopped_) stop();
}

void TestServer::register_handlers() {
  auto waiting = [this](RequestContext context, Slice body) {
    started.push_back(to_string(body.view()));
    return answer_when_released(*this, *gate_, std::move(context), std::move(body));
  };
  dispatcher_.on(ApiKey::kDatabaseExists, waiting);
  dispatcher_.on(ApiKey::kProduceLog, waiting);
  dispatcher_.on(ApiKey::kListDatabases, [this](RequestContext, Slice body) {
    started.push_back(to_string(body.view()));
    return answer_at_once(std::move(body));
  });
  dispatcher_.on(ApiKey::kFetchLog, [this](RequestContext, Slice body) {
    started.push_back(to_string(body.view()));
    return answer_at_once(Slice::own(std::string(answer_bytes, 'f')));
  });
}

void TestServer::release() {
  server_->loop(0).post([this] { gate_->notify_all(); });
  world_.run_for(1ms);
}

void TestServer::stop() {
  bool done = false;
  server_->loop(0).post([&] { stopper_->spawn(stop_all(acceptor_.get(), *host_, done)); });
  EXPECT_TRUE(world_.run_until([&] { return done; }, 30s));
  stopped_ = true;
}

void TestServer::stop_host() {
  bool done = false;
  server_->loop(0).post([&] { stopper_->spawn(stop_all(nullptr, *host_, done)); });
  EXPECT_TRUE(world_.run_until([&] { return done; }, 30s));
}

RawClient::RawClient(TestServer& server) : server_(server), scope_(server.client_loop()) {
  server.client_loop().post([this] { scope_.spawn(connect(server_.address())); });
  EXPECT_TRUE(server.world().run_until([&] { return connection_ != nullptr; }, 5s));
}

RawClient::~RawClient() {
  close();
  bool stopping = false;
  server_.client_loop().post([&] {
    scope_.request_stop();
    stopping = true;
  });
  EXPECT_TRUE(server_.world().run_until([&] { return stopping && scope_.running() == 0; }, 5s));
}

Task<void> RawClient::connect(async::Address address) {
  auto connection =
      co_await server_.client().network().connect(scope_.loop(), address, scope_.deadline_after(5s));
  connection_ = std::move(connection).value();
  scope_.spawn(read_all());
}

Task<void> RawClient::read_all() {
  Buffer buffer(4096);
  while (reading_) {
    auto count = co_await connection_->read(buffer, scope_.until_stopped());
    if (!count.ok() || *count == 0) {
      ended_ = true;
      co_return;
    }
    received_.append(as_text(ByteView(buffer).first(*count)));
    cut_frames();
  }
}

Task<void> RawClient::write(std::vector<Slice> parts) {
  Status ignored = co_await connection_->write(std::move(parts), scope_.until_stopped());
}

void RawClient::send(const Payload& bytes) {
  server_.client_loop().post([this, parts = std::vector{bytes.flatten()}] { scope_.spawn(write(parts)); });
}

void RawClient::read_again() {
  reading_ = true;
  server_.client_loop().post([this] { scope_.spawn(read_all()); });
}

void RawClient::close() {
  server_.client_loop().post([this] { connection_->close(); });
  server_.world().run_for(50ms);
}

void RawClient::cut_frames() {
  std::string_view rest = received_;
  while (rest.size() >= 4) {
    size_t length = load_be<uint32_t>(as_bytes(rest).data());
    if (rest.size() < 4 + length) break;
    frames_.emplace_back(rest.substr(4, length));
    rest.remove_prefix(4 + length);
  }
  received_.erase(0, received_.size() - rest.size());
}

bool RawClient::wait_for_frames(size_t count) {
  return server_.world().run_until([&] { return frames().size() >= count; }, 10s);
}

bool RawClient::wait_for_end(async::Duration limit) {
  return server_.world().run_until([&] { return ended_; }, limit);
}

Payload request_frame(ApiKey key, int32_t id, std::string_view body) {
  return encode_request({.api_key = static_cast<int16_t>(key), .version = 0, .id = RequestId(id)},
                        Slice::copy(as_bytes(body)));
}

}  // namespace strom::rpc
