// Sender: carries what plan() says to the tablet servers: to each one in order, to all at once. What a server
// did not answer is sent again while it lives, so that an order is lost only with the server, which learns
// all when it registers. Lives on: the coordinator's loop. Upstream counterpart:
// coordinator/CoordinatorChannelManager.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>

#include "async/scope.h"
#include "coordinator/event.h"
#include "coordinator/plan.h"

namespace strom::coordinator {

// The sends of one event, on their way.
class Delivery {
 public:
  explicit Delivery(async::EventLoop& loop) : done_(loop) {}
  void add() { ++left_; }
  void finish() {
    if (--left_ == 0) done_.notify_all();
  }
  bool finished() const { return left_ == 0; }
  // Until all have been answered, or the deadline.
  async::Task<void> wait(async::Deadline deadline);

 private:
  size_t left_ = 0;
  async::WaitList done_;
};

class Sender {
 public:
  // `stopped` hears of the replicas that servers report as gone.
  Sender(async::EventLoop& loop, ControlClient& control, std::function<void(ReplicasStopped)> stopped);

  // Queues the sends with the live servers and the epoch as they are in `state` now.
  std::shared_ptr<Delivery> send(const State& state, std::vector<Send> sends);
  // Forgets what is queued for a server that started anew: it was meant for the process before. INV-4.
  void forget(ServerId server);
  // Forgets what is queued for servers that are gone.
  void keep_only(const std::map<ServerId, model::TabletServerRegistration>& live);
  async::Task<void> stop();

 private:
  struct Order {
    Send send;
    CoordinatorEpoch epoch;
    std::map<ServerId, model::TabletServerRegistration> live_servers;
    std::shared_ptr<Delivery> delivery;
  };
  struct Queue {
    explicit Queue(async::EventLoop& loop) : changed(loop) {}
    std::deque<Order> orders;
    bool gone = false;
    async::WaitList changed;
  };

  void enqueue(ServerId server, Order order);
  async::Task<void> run(ServerId server, std::shared_ptr<Queue> queue);
  async::Task<bool> deliver(ServerId server, Order& order);
  async::Task<bool> deliver_stop(ServerId server, CoordinatorEpoch epoch, StopReplicas& stop);

  async::EventLoop& loop_;
  ControlClient& control_;
  std::function<void(ReplicasStopped)> stopped_;
  std::map<ServerId, std::shared_ptr<Queue>> queues_;
  async::TaskScope scope_;
};

}  // namespace strom::coordinator
