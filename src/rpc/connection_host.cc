#include "rpc/connection_host.h"

#include "base/logging.h"

namespace strom::rpc {

using async::Task;

ConnectionHost::ConnectionHost(async::EventLoop& loop, size_t shard, const Dispatcher& dispatcher,
                               const Limits& limits, RpcMetrics metrics)
    : shared_(loop, dispatcher, limits, std::move(metrics)),
      scope_(loop),
      next_id_(static_cast<int64_t>(shard) << 40) {}

void ConnectionHost::serve(std::unique_ptr<async::Connection> connection, ConnectionInfo info) {
  if (scope_.stopping()) return connection->close();
  if (connections() >= shared_.limits.max_connections) {
    log_warn("rpc",
             "connection refused peer={} error=\"{} connections are open on this shard, the most allowed\"",
             info.peer, connections());
    return connection->close();
  }
  info.id = ConnectionId(++next_id_);
  scope_.spawn(run(std::make_unique<ServerConnection>(
      shared_, std::move(connection), std::make_shared<const ConnectionInfo>(std::move(info)))));
}

Task<void> ConnectionHost::run(std::unique_ptr<ServerConnection> connection) {
  shared_.metrics.connections.add(1);
  co_await connection->serve(scope_.stop_source());
  shared_.metrics.connections.add(-1);
}

Acceptor::Acceptor(async::EventLoop& loop, std::unique_ptr<async::Listener> listener,
                   std::vector<ConnectionHost*> hosts, Options options)
    : listener_(std::move(listener)), hosts_(std::move(hosts)), options_(std::move(options)), scope_(loop) {}

void Acceptor::start() { scope_.spawn(accept_all()); }

Task<void> Acceptor::stop() {
  scope_.request_stop();
  listener_->close();
  co_await scope_.stop();
}

Task<void> Acceptor::accept_all() {
  for (size_t turn = 0; !scope_.stopping(); ++turn) {
    ConnectionHost* host = hosts_[turn % hosts_.size()];
    auto accepted = co_await listener_->accept(host->loop());
    if (scope_.stopping()) co_return;
    if (!accepted.ok()) {
      // Out of file handles, most likely: what is open goes on, and some of it will end.
      log_warn("rpc", "can't accept listener={} error=\"{}\"", options_.listener_name,
               accepted.error().message);
      co_await async::sleep_for(scope_.loop(), std::chrono::milliseconds(100), &scope_.stop_source());
      continue;
    }
    ConnectionInfo info{.id = {},
                        .peer = (*accepted)->peer(),
                        .listener = options_.listener_name,
                        .session = {.internal = options_.internal}};
    host->loop().post([host, connection = std::move(*accepted), info = std::move(info)]() mutable {
      host->serve(std::move(connection), std::move(info));
    });
  }
}

}  // namespace strom::rpc
