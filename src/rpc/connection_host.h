// ConnectionHost: the connections of one shard. Acceptor: takes connections from a listener and gives them to
// the shards' hosts in turn.
//   stop order: acceptors, then hosts (a connection on its way to a host arrives before its stop), then
//   listeners' loops.
// Upstream counterpart: NettyServer.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "rpc/connection.h"

namespace strom::rpc {

// Lives on: one shard.
class ConnectionHost {
 public:
  // `dispatcher` outlives the host. `shard` makes connection ids unique in the process.
  ConnectionHost(async::EventLoop& loop, size_t shard, const Dispatcher& dispatcher, const Limits& limits,
                 RpcMetrics metrics);

  // Serves the connection until it ends. Closes it at once when there are too many, or when stopping.
  // `info` needs no id: it gets one.
  void serve(std::unique_ptr<async::Connection> connection, ConnectionInfo info);

  // Ends all connections and waits for them.
  async::Task<void> stop() { return scope_.stop(); }

  async::EventLoop& loop() const { return scope_.loop(); }
  size_t connections() const { return scope_.running(); }

 private:
  async::Task<void> run(std::unique_ptr<ServerConnection> connection);

  ConnectionShared shared_;
  async::TaskScope scope_;
  int64_t next_id_;
};

// Lives on: the listener's loop.
class Acceptor {
 public:
  struct Options {
    std::string listener_name;
    bool internal = false;  // connections of this listener are other servers
  };
  // `hosts` outlive the acceptor.
  Acceptor(async::EventLoop& loop, std::unique_ptr<async::Listener> listener,
           std::vector<ConnectionHost*> hosts, Options options);

  void start();
  // Closes the listener and waits until nothing more is accepted.
  async::Task<void> stop();
  async::Address local() const { return listener_->local(); }

 private:
  async::Task<void> accept_all();

  std::unique_ptr<async::Listener> listener_;
  std::vector<ConnectionHost*> hosts_;
  Options options_;
  async::TaskScope scope_;
};

}  // namespace strom::rpc
