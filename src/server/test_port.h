// TestPort: a port of the loopback interface on which tests ask about replicas and cause what else only time
// would (strom.test.control-port; off unless configured). One line with a request, one line with the answer,
// then the server closes:
//     replica TABLE PARTITION BUCKET   ok none | ok leader=true leader_id=0 log_end_offset=9 ... (PARTITION:
//     an id or -) replicas                         ok online=6 leaders=2 roll TABLE PARTITION BUCKET      ok:
//     the active segment is closed and a new one begun
// Everything else is answered `unsupported`, a failure `error TEXT`. Lives on: the home shard.
#pragma once

#include <memory>
#include <string>

#include "server/context.h"

namespace strom::server {

class TestPort {
 public:
  // Listens, but does not accept before start(). `services` are the home shard's and outlive it.
  // kNetwork when the port is taken.
  static Result<std::unique_ptr<TestPort>> open(const Services& services, int port);
  void start();
  // Ends connections, and waits for what they have begun.
  async::Task<void> stop();

 private:
  TestPort(const Services& services, std::unique_ptr<async::Listener> listener)
      : services_(services), listener_(std::move(listener)), scope_(services.loop()) {}
  async::Task<void> accept_all();
  async::Task<void> serve(std::unique_ptr<async::Connection> connection);
  async::Task<std::string> answer(std::string request);
  async::Task<std::string> count_replicas();

  const Services& services_;
  std::unique_ptr<async::Listener> listener_;
  async::TaskScope scope_;
};

}  // namespace strom::server
