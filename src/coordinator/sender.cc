#include "coordinator/sender.h"

#include <algorithm>

#include "base/contains.h"
#include "base/logging.h"

namespace strom::coordinator {

using namespace std::chrono_literals;

namespace {

constexpr async::Duration kRequestTimeout = 30s;
constexpr async::Duration kRetryPause = 500ms;

}  // namespace

async::Task<void> Delivery::wait(async::Deadline deadline) {
  while (left_ > 0) {
    if (co_await done_.wait(deadline) != async::WaitResult::kReady) break;
  }
}

Sender::Sender(async::EventLoop& loop, ControlClient& control, std::function<void(ReplicasStopped)> stopped)
    : loop_(loop), control_(control), stopped_(std::move(stopped)), scope_(loop) {}

std::shared_ptr<Delivery> Sender::send(const State& state, std::vector<Send> sends) {
  auto delivery = std::make_shared<Delivery>(loop_);
  for (Send& send : sends) {
    if (auto* news = std::get_if<UpdateMetadata>(&send)) {
      for (ServerId server : news->servers) enqueue(server, {*news, state.epoch, state.servers, delivery});
      continue;
    }
    auto* notice = std::get_if<NotifyLeaders>(&send);
    const ServerId server = notice != nullptr ? notice->server : std::get<StopReplicas>(send).server;
    enqueue(server, {std::move(send), state.epoch, {}, delivery});
  }
  return delivery;
}

void Sender::enqueue(ServerId server, Order order) {
  auto& queue = queues_[server];
  if (queue == nullptr) {
    queue = std::make_shared<Queue>(loop_);
    if (!scope_.spawn(run(server, queue))) return;
  }
  order.delivery->add();
  queue->orders.push_back(std::move(order));
  queue->changed.notify_all();
}

void Sender::forget(ServerId server) {
  auto found = queues_.find(server);
  if (found == queues_.end()) return;
  found->second->gone = true;
  found->second->changed.notify_all();
  queues_.erase(found);
}

void Sender::keep_only(const std::map<ServerId, model::TabletServerRegistration>& live) {
  std::erase_if(queues_, [&](auto& entry) {
    if (live.contains(entry.first)) return false;
    entry.second->gone = true;
    entry.second->changed.notify_all();
    return true;
  });
}

async::Task<void> Sender::run(ServerId server, std::shared_ptr<Queue> queue) {
  while (!queue->gone && !scope_.stopping()) {
    if (queue->orders.empty()) {
      co_await queue->changed.wait(scope_.until_stopped());
      continue;
    }
    if (co_await deliver(server, queue->orders.front())) {
      queue->orders.front().delivery->finish();
      queue->orders.pop_front();
      continue;
    }
    co_await async::sleep_for(loop_, kRetryPause, &scope_.stop_source());
  }
  for (Order& order : queue->orders) order.delivery->finish();
}

async::Task<bool> Sender::deliver(ServerId server, Order& order) {
  const async::Deadline deadline = scope_.deadline_after(kRequestTimeout);
  if (auto* stop = std::get_if<StopReplicas>(&order.send))
    co_return co_await deliver_stop(server, order.epoch, *stop);
  Status answered;
  if (auto* notice = std::get_if<NotifyLeaders>(&order.send)) {
    auto refused = co_await control_.notify_leaders(server, order.epoch, notice->buckets, deadline);
    if (!refused.ok()) answered = refused.error();
    if (refused.ok()) {
      for (const auto& [bucket, error] : *refused) {
        log_warn("coordinator", "server can't lead or follow a bucket server={} bucket={} error={} reason={}",
                 server, bucket, error_name(error.code), error.message);
      }
    }
  } else {
    answered = co_await control_.update_metadata(server, order.epoch, order.live_servers,
                                                 std::get<UpdateMetadata>(order.send).update, deadline);
  }
  if (answered.ok() || answered.code() == ErrorCode::kInvalidCoordinator) co_return true;
  log_warn("coordinator", "server did not take an order, which is sent again server={} reason={}", server,
           answered.error().message);
  co_return false;
}

async::Task<bool> Sender::deliver_stop(ServerId server, CoordinatorEpoch epoch, StopReplicas& stop) {
  auto stopped =
      co_await control_.stop_replicas(server, epoch, stop.replicas, scope_.deadline_after(kRequestTimeout));
  if (!stopped.ok()) {
    log_warn("coordinator", "server did not stop replicas, asked again server={} reason={}", server,
             stopped.error().message);
    co_return stopped.code() == ErrorCode::kInvalidCoordinator;
  }
  std::erase_if(stop.replicas, [&](const ReplicaStop& one) { return contains(*stopped, one.bucket); });
  if (!stopped->empty()) stopped_({server, std::move(*stopped)});
  co_return stop.replicas.empty();
}

async::Task<void> Sender::stop() {
  for (auto& [server, queue] : queues_) queue->gone = true;
  co_await scope_.stop();
}

}  // namespace strom::coordinator
