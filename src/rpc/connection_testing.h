// A server on a simulated machine whose handlers obey the test, and a raw client that speaks bytes.
#pragma once

#include "async/runtime_testing.h"
#include "async/sim_net.h"
#include "rpc/connection_host.h"

namespace strom::rpc {

// One host with one listener on machine "server". Answers:
//   LIST_DATABASES    the request's body, at once
//   DATABASE_EXISTS   the request's body, when release() is called or its deadline ends
//   PRODUCE_LOG       as DATABASE_EXISTS
//   FETCH_LOG         answer_bytes bytes, at once
class TestServer {
 public:
  explicit TestServer(const Limits& limits, uint64_t seed = 1);
  ~TestServer();

  async::SimWorld& world() { return world_; }
  Dispatcher& dispatcher() { return dispatcher_; }
  ConnectionHost& host() { return *host_; }
  async::Address address() const { return acceptor_->local(); }
  async::SimRuntime& client() { return *client_; }
  async::EventLoop& client_loop() { return client_->loop(0); }

  // Lets all waiting requests answer.
  void release();
  void stop();
  // Stops the host and nothing else.
  void stop_host();

  std::vector<std::string> started;  // bodies, in the order of their start
  std::vector<std::string> ended_early;
  size_t answer_bytes = 0;

 private:
  void register_handlers();

  async::SimWorld world_;
  std::unique_ptr<async::SimRuntime> server_;
  std::unique_ptr<async::SimRuntime> client_;
  Dispatcher dispatcher_;
  std::unique_ptr<async::WaitList> gate_;
  std::unique_ptr<ConnectionHost> host_;
  std::unique_ptr<Acceptor> acceptor_;
  std::unique_ptr<async::TaskScope> stopper_;
  bool stopped_ = false;
};

// Sends and collects bytes; frames are cut out of what came.
class RawClient {
 public:
  explicit RawClient(TestServer& server);
  ~RawClient();

  void send(const Payload& bytes);
  // Does not read any more from here on.
  void stop_reading() { reading_ = false; }
  void read_again();
  void close();

  // Frames without their length, in the order of arrival.
  const std::vector<std::string>& frames() const { return frames_; }
  // Runs until so many frames have come, at most 10 s.
  bool wait_for_frames(size_t count);
  bool wait_for_end(async::Duration limit = std::chrono::seconds(5));
  bool ended() const { return ended_; }

 private:
  async::Task<void> connect(async::Address address);
  async::Task<void> read_all();
  async::Task<void> write(std::vector<Slice> parts);
  void cut_frames();

  TestServer& server_;
  async::TaskScope scope_;
  std::unique_ptr<async::Connection> connection_;
  std::string received_;  // what is not a whole frame yet
  std::vector<std::string> frames_;
  bool reading_ = true;
  bool ended_ = false;
};

Payload request_frame(ApiKey key, int32_t id, std::string_view body);

}  // namespace strom::rpc
