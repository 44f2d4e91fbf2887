// Coordinator: the shell around plan(). It takes leadership, loads the state, and then handles one event at a
// time: plan, commit with the fence of its epoch, apply, tell the servers, answer. Whoever submits an event
// gets the answer when the servers that live have heard of it, or after a few seconds at most: a table that
// was created can be written at once. Lives on: one loop. Upstream counterparts: CoordinatorServer,
// CoordinatorLeaderElection, event/CoordinatorEventManager.
#pragma once

#include <deque>
#include <memory>

#include "async/runtime.h"
#include "async/scope.h"
#include "coordinator/plan.h"
#include "coordinator/sender.h"

namespace strom::coordinator {

class Coordinator {
 public:
  struct Config {
    Settings settings;
    model::CoordinatorAddress address;
    async::Duration auto_partition_interval = std::chrono::minutes(10);  // auto-partition.check.interval
  };
  // All outlive the coordinator.
  Coordinator(async::Runtime& runtime, async::EventLoop& loop, metastore::Metastore& store,
              ControlClient& control, Config config);

  // Takes leadership, loads the state, and gives roles to the tablet servers that are registered. Events are
  // handled from then on. Errors: the store can't be read or written.
  async::Task<Status> start();
  // Refuses new events, answers those that wait with kNotCoordinatorLeader, returns when all work has ended.
  async::Task<void> stop();

  // The answer to a request: kNotCoordinatorLeader when this coordinator does not lead (any more),
  // kRequestTimeOut when too many wait. An answer that comes late leaves it open whether the event took
  // place.
  async::Task<Status> submit(Event event);

  bool leads() const { return leads_; }
  const State& state() const { return state_; }

 private:
  struct Pending {
    explicit Pending(async::EventLoop& loop, Event e) : event(std::move(e)), answered(loop) {}
    Event event;
    std::optional<Status> answer;
    async::WaitList answered;
  };

  async::Task<Status> take_leadership();
  async::Task<Status> refresh_servers();
  async::Task<void> run();
  async::Task<void> watch_servers();
  async::Task<void> keep_auto_partitions();
  // A table that was created or altered gets its partitions at once.
  void queue_auto_partitions(const Event& event);
  async::Task<void> handle(std::shared_ptr<Pending> pending);
  async::Task<void> answer_when_told(std::shared_ptr<Pending> pending, std::shared_ptr<Delivery> delivery);
  async::Task<Status> commit(std::vector<metastore::Operation> writes);
  void resign(const std::string& reason);
  static void answer(Pending& pending, Status status);

  async::Runtime& runtime_;
  async::EventLoop& loop_;
  metastore::Metastore& store_;
  ControlClient& control_;
  Config config_;
  State state_;
  bool leads_ = false;
  int32_t epoch_node_version_ = 0;
  std::deque<std::shared_ptr<Pending>> queue_;
  async::WaitList queued_;
  std::unique_ptr<metastore::Watch> watch_;
  bool servers_changed_ = false;
  async::WaitList servers_changed_signal_;
  async::TaskScope scope_;
  Sender sender_;
};

}  // namespace strom::coordinator
