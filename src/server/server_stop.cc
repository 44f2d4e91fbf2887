// How a server stops: first what lets work in, then what waits, then what holds data, last what it is held
// in.
#include "base/logging.h"
#include "server/server.h"

namespace strom::server {

using async::Task;

namespace {

using Done = std::shared_ptr<async::Completion<bool>>;

Task<void> run_and_say(Task<void> work, Done done) {
  co_await std::move(work);
  done->set(true);
}

Task<void> stop_connections(Shard& shard) {
  shard.waits.cancel_all();
  if (shard.host != nullptr) co_await shard.host->stop();
}

Task<void> stop_calls(Shard& shard) { co_await shard.scope.stop(); }

Task<void> close_replicas(Shard& shard) { co_await shard.replicas.close(); }

}  // namespace

// A shard's own scope may be the thing that stops: the work gets one that lives just as long as it.
Task<void> Server::on_each_shard(Task<void> (*stop)(Shard&)) {
  for (auto& shard : shards_) {
    auto done = std::make_shared<async::Completion<bool>>(runtime_.loop(0));
    auto scope = std::make_shared<async::TaskScope>(shard->loop);
    shard->loop.post([scope, &shard, stop, done] { scope->spawn(run_and_say(stop(*shard), done)); });
    co_await done->get();
    // The scope is free of tasks once the loop has returned from the last of them.
    auto left = std::make_shared<async::Completion<bool>>(runtime_.loop(0));
    shard->loop.post([scope = std::move(scope), left]() mutable {
      scope.reset();
      left->set(true);
    });
    co_await left->get();
  }
}

Task<Status> Server::stop() {
  if (test_port_ != nullptr) co_await test_port_->stop();
  for (auto& acceptor : acceptors_) co_await acceptor->stop();
  for (auto& [name, listener] : listeners_) listener->close();
  co_await on_each_shard(stop_connections);
  if (maintenance_ != nullptr) co_await maintenance_->stop();
  if (coordinator_ != nullptr) co_await coordinator_->stop();
  co_await on_each_shard(stop_calls);
  co_await on_each_shard(close_replicas);
  Status closed;
  if (directory_ != nullptr) closed = co_await directory_->shut_down(runtime_.loop(0));
  if (metastore_ != nullptr) {
    Status store_closed = co_await metastore_->close();
    if (closed.ok()) closed = store_closed;
  }
  log_info("server", "stopped clean={}", closed.ok());
  co_return closed;
}

}  // namespace strom::server
