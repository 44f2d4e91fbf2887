// The shell around plan(), on the simulator: leadership, the order of events and of sends, retries, restarts,
// fencing.
#include "coordinator/coordinator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "async/sim.h"
#include "coordinator/control_testing.h"
#include "coordinator/transcript_testing.h"
#include "metastore/simulated.h"
#include "model/node_paths.h"

namespace strom::coordinator {
namespace {

using async::Task;
using metastore::Operation;
using ::testing::ElementsAre;
using namespace std::chrono_literals;
using testing::RecordingControl;
namespace node_paths = model::node_paths;

template <class T>
Task<void> keep(Task<T> task, std::optional<T>* result) {
  result->emplace(co_await std::move(task));
}
Task<void> keep_end(Task<void> task, std::optional<bool>* ended) {
  co_await std::move(task);
  ended->emplace(true);
}

class CoordinatorTest : public ::testing::Test {
 protected:
  // A coordinator with its own session of the store.
  struct Instance {
    std::unique_ptr<metastore::Metastore> store;
    std::unique_ptr<Coordinator> coordinator;
  };

  Instance make(Settings settings = {}) {
    Instance made{service_.connect(loop()), nullptr};
    made.coordinator = std::make_unique<Coordinator>(*runtime_, loop(), *made.store, control_,
                                                     Coordinator::Config{settings, {"c", {}}});
    return made;
  }
  Instance start() {
    Instance made = make();
    EXPECT_EQ(run(made.coordinator->start()).code(), ErrorCode::kNone);
    return made;
  }
  void stop(Instance& instance) {
    std::optional<bool> ended;
    scope_.spawn(keep_end(instance.coordinator->stop(), &ended));
    ASSERT_TRUE(world_.run_until([&] { return ended.has_value(); }, 10min)) << "stop() does not end";
    run(instance.store->close()).value();
    settle();
    instance.coordinator.reset();
    instance.store.reset();
  }

  // Runs a task to its end.
  template <class T>
  T run(Task<T> task) {
    std::optional<T> result;
    scope_.spawn(keep(std::move(task), &result));
    const bool done = world_.run_until([&] { return result.has_value(); }, 10min);
    STROM_CHECK(done, "the task does not end");
    return *std::move(result);
  }
  // Starts a task; `result` is set when it ends.
  void begin(Task<Status> task, std::optional<Status>& result) {
    scope_.spawn(keep(std::move(task), &result));
  }
  void settle() { world_.run_for(100ms); }

  // A tablet server registers itself, with a session of its own; again after it went away.
  void server_up(int32_t id, int64_t registered = 0) {
    auto& session = servers_[id];
    session = service_.connect(loop());
    model::TabletServerRegistration registration{.registered = Timestamp(registered)};
    auto made = run(session->commit({Operation::create_ephemeral(node_paths::tablet_server(ServerId(id)),
                                                                 to_buffer(registration.to_json()))}));
    ASSERT_TRUE(made.ok() && made->committed());
    settle();
  }
  void server_down(int32_t id) {
    run(servers_[id]->close()).value();
    settle();
    servers_.erase(id);
  }

  // The same, while other work goes on.
  void server_up_during_work(int32_t id) {
    servers_[id] = service_.connect(loop());
    scope_.spawn(keep(servers_[id]->commit({Operation::create_ephemeral(
                          node_paths::tablet_server(ServerId(id)),
                          to_buffer(model::TabletServerRegistration{}.to_json()))}),
                      &registered_));
  }
  // What another client of the store does, without the time that it takes.
  void change_at_once(Operation operation) {
    std::vector<metastore::Tree::Change> changes;
    ASSERT_TRUE(service_.tree().plan({std::move(operation)}, changes).committed());
    service_.tree().apply(changes, metastore::kNoSession);
  }
  // Submits requests that take the store some time, until one is refused, or `count`.
  void fill_queue(Instance& instance, size_t count) {
    for (size_t i = 0; i < count; ++i) {
      std::optional<Status>& answer = answers_.emplace_back();
      begin(instance.coordinator->submit(CreateDatabase{fmt::format("d{}", answers_.size()), {}, false}),
            answer);
      if (answer && !answer->ok()) return;
    }
  }

  static CreateTable table(const std::string& name, int32_t replicas = 1) {
    auto schema = model::SchemaBuilder().column("id", model::DataType::integer()).build().value();
    return {{"fluss", name},
            {.schema = schema,
             .properties = {{std::string(model::kReplicationFactorKey), fmt::to_string(replicas)}}}};
  }
  static TableBucket bucket(int64_t table) { return {TableId(table), std::nullopt, BucketId(0)}; }

  async::EventLoop& loop() { return runtime_->loop(0); }

  async::SimWorld world_{1};
  std::unique_ptr<async::SimRuntime> runtime_ = world_.add_machine("coordinator").boot();
  metastore::SimMetastoreService service_{world_};
  RecordingControl control_{loop()};
  std::map<int32_t, std::unique_ptr<metastore::Metastore>> servers_;
  std::deque<std::optional<Status>> answers_;  // of fill_queue()
  std::optional<Result<metastore::CommitOutcome>> registered_;
  async::TaskScope scope_{loop()};
};

// A first start takes epoch 1, shows its address, and makes the database that clients expect; the next takes
// epoch 2.
TEST_F(CoordinatorTest, StartsWithTheDefaultDatabase) {
  Instance first = start();
  EXPECT_TRUE(first.coordinator->leads());
  EXPECT_EQ(first.coordinator->state().epoch, CoordinatorEpoch(1));
  EXPECT_TRUE(first.coordinator->state().databases.contains("fluss"));
  EXPECT_NE(service_.tree().find(std::string(node_paths::kActiveCoordinator)), nullptr);
  EXPECT_EQ(run(first.coordinator->submit(CreateDatabase{"fluss", {}, false})).code(),
            ErrorCode::kDatabaseAlreadyExist);
  stop(first);
  EXPECT_EQ(service_.tree().find(std::string(node_paths::kActiveCoordinator)), nullptr);
  Instance second = start();
  EXPECT_EQ(second.coordinator->state().epoch, CoordinatorEpoch(2));
  stop(second);
}

// Servers that register and leave become events by themselves, also those that were there before the
// coordinator.
TEST_F(CoordinatorTest, FollowsTheServersInTheStore) {
  server_up(0);
  Instance one = start();
  settle();
  EXPECT_THAT(control_.arrived(0), ElementsAre("update servers=1 epoch=1"));
  server_up(1);
  EXPECT_EQ(one.coordinator->state().servers.size(), 2u);
  EXPECT_THAT(control_.arrived(1), ElementsAre("update servers=2 epoch=1"));
  server_down(0);
  EXPECT_EQ(one.coordinator->state().servers.size(), 1u);
  EXPECT_EQ(control_.arrived(1).back(), "update servers=1 epoch=1");
  stop(one);
}

// A request is answered when the servers have heard of it: the leaders first, then the caches, and each
// event's orders arrive in the order of the events.
TEST_F(CoordinatorTest, AnswersWhenTheServersHaveHeard) {
  server_up(0);
  Instance one = start();
  settle();
  control_.forget();
  std::optional<Status> a, b, c;
  begin(one.coordinator->submit(table("a")), a);
  begin(one.coordinator->submit(table("b")), b);
  begin(one.coordinator->submit(DropTable{{"fluss", "a"}}), c);
  ASSERT_TRUE(world_.run_until([&] { return a.has_value(); }, 1min));
  EXPECT_TRUE(a->ok());
  EXPECT_GE(control_.arrived(0).size(), 2u);
  settle();
  ASSERT_TRUE(b && b->ok());
  ASSERT_TRUE(c && c->ok());
  EXPECT_THAT(control_.arrived(0), ElementsAre("lead 0/b0:0 epoch=1", "update servers=1 fluss.a epoch=1",
                                               "lead 1/b0:0 epoch=1", "update servers=1 fluss.b epoch=1",
                                               "update servers=1 -fluss.a epoch=1", "stop 0/b0 epoch=1"));
  EXPECT_TRUE(one.coordinator->state().deletions.empty());
  stop(one);
}

// What a server did not take is sent again before anything else goes to that server; other servers don't wait
// for it.
TEST_F(CoordinatorTest, SendsAgainInOrder) {
  server_up(0);
  server_up(1);
  Instance one = start();
  settle();
  control_.forget();
  control_.errors[ServerId(0)] = {ErrorCode::kNetwork, ErrorCode::kNetwork};
  std::optional<Status> made;
  begin(one.coordinator->submit(table("a", 2)), made);
  settle();
  EXPECT_THAT(control_.arrived(0), ElementsAre("lead 0/b0:0 epoch=1"));
  EXPECT_THAT(control_.arrived(1), ElementsAre("lead 0/b0:0 epoch=1", "update servers=2 fluss.a epoch=1"));
  EXPECT_FALSE(made.has_value());
  ASSERT_TRUE(world_.run_until([&] { return made.has_value(); }, 1min));
  EXPECT_TRUE(made->ok());
  EXPECT_THAT(control_.arrived(0), ElementsAre("lead 0/b0:0 epoch=1", "lead 0/b0:0 epoch=1",
                                               "lead 0/b0:0 epoch=1", "update servers=2 fluss.a epoch=1"));
  stop(one);
}

// A server that is silent holds up no answer for longer than some seconds, and no other request.
TEST_F(CoordinatorTest, DoesNotWaitForASilentServer) {
  server_up(0);
  Instance one = start();
  settle();
  control_.silent = {ServerId(0)};
  const async::Instant before = world_.now();
  EXPECT_TRUE(run(one.coordinator->submit(table("a"))).ok());
  EXPECT_EQ(world_.now() - before >= 5s, true);
  EXPECT_EQ(world_.now() - before <= 6s, true);
  std::optional<Status> made;
  begin(one.coordinator->submit(CreateDatabase{"d", {}, false}), made);
  settle();
  EXPECT_TRUE(made && made->ok());
  stop(one);
}

// A replica that its server could not delete is asked for again until it is gone; only then the table is
// forgotten.
TEST_F(CoordinatorTest, AsksAgainForWhatWasNotDeleted) {
  server_up(0);
  Instance one = start();
  settle();
  ASSERT_TRUE(run(one.coordinator->submit(table("a"))).ok());
  control_.forget();
  control_.keeps = {bucket(0)};
  std::optional<Status> dropped;
  begin(one.coordinator->submit(DropTable{{"fluss", "a"}}), dropped);
  world_.run_for(800ms);
  EXPECT_THAT(control_.arrived(0),
              ElementsAre("update servers=1 -fluss.a epoch=1", "stop 0/b0 epoch=1", "stop 0/b0 epoch=1"));
  EXPECT_EQ(one.coordinator->state().deletions.size(), 1u);
  control_.keeps.clear();
  world_.run_for(2s);
  EXPECT_TRUE(dropped && dropped->ok());
  EXPECT_TRUE(one.coordinator->state().deletions.empty());
  EXPECT_EQ(service_.tree().find(node_paths::table_assignment(TableId(0))), nullptr);
  stop(one);
}

// A coordinator that takes over knows what the last one knew, and finishes the deletions that it began.
TEST_F(CoordinatorTest, ARestartLosesNothing) {
  server_up(0);
  Instance one = start();
  settle();
  CreateTable parted = table("parted");
  parted.descriptor.schema =
      model::SchemaBuilder(parted.descriptor.schema).column("k", model::DataType::string()).build().value();
  parted.descriptor.partition_keys = {"k"};
  ASSERT_TRUE(run(one.coordinator->submit(table("a"))).ok());
  ASSERT_TRUE(run(one.coordinator->submit(table("b"))).ok());
  ASSERT_TRUE(run(one.coordinator->submit(parted)).ok());
  ASSERT_TRUE(run(one.coordinator->submit(CreatePartition{parted.path, {{{"k", "x"}}}, false})).ok());
  ASSERT_TRUE(run(one.coordinator->submit(CreatePartition{parted.path, {{{"k", "y"}}}, false})).ok());
  ASSERT_TRUE(run(one.coordinator->submit(AlterTable{.path = parted.path, .set = {{"owner", "me"}}})).ok());
  control_.silent = {ServerId(0)};
  ASSERT_TRUE(run(one.coordinator->submit(DropTable{{"fluss", "a"}})).ok());
  ASSERT_TRUE(run(one.coordinator->submit(DropPartition{parted.path, {{{"k", "x"}}}, false})).ok());
  server_down(0);
  State before = one.coordinator->state();
  EXPECT_EQ(before.deletions.size(), 2u);
  stop(one);

  Instance two = start();
  before.epoch = before.epoch.next();
  EXPECT_EQ(testing::print(two.coordinator->state()), testing::print(before));
  control_.silent.clear();
  control_.forget();
  server_up(0, 7);
  EXPECT_TRUE(two.coordinator->state().deletions.empty());
  EXPECT_THAT(control_.arrived(0), ::testing::Contains("stop 0/b0 2/p0/b0 epoch=2"));
  EXPECT_EQ(service_.tree().find(node_paths::partition_assignment(PartitionId(0))), nullptr);
  stop(two);
}

// Two coordinators: the one with the lower epoch can't write any more, says so, and stays silent from then
// on.
TEST_F(CoordinatorTest, AHigherEpochFencesTheLower) {
  Instance old = start();
  Instance refused = make();
  EXPECT_EQ(run(refused.coordinator->start()).code(), ErrorCode::kNotCoordinatorLeader);
  stop(refused);
  // The old one is not told that its leadership was taken from it.
  auto other = service_.connect(loop());
  ASSERT_TRUE(
      run(other->commit({Operation::remove(std::string(node_paths::kActiveCoordinator))}))->committed());
  Instance next = start();
  ASSERT_TRUE(old.coordinator->leads());
  EXPECT_EQ(run(old.coordinator->submit(CreateDatabase{"d", {}, false})).code(),
            ErrorCode::kNotCoordinatorLeader);
  EXPECT_FALSE(old.coordinator->leads());
  EXPECT_FALSE(old.coordinator->state().databases.contains("d"));
  EXPECT_EQ(service_.tree().find(node_paths::database("d")), nullptr);
  EXPECT_EQ(run(old.coordinator->submit(CreateDatabase{"d", {}, false})).code(),
            ErrorCode::kNotCoordinatorLeader);
  EXPECT_TRUE(run(next.coordinator->submit(CreateDatabase{"d", {}, false})).ok());
  stop(old);
  stop(next);
  run(other->close()).value();
}

// When the session with the store ends, it is not known what the store holds: the coordinator gives up.
TEST_F(CoordinatorTest, GivesUpWithItsSession) {
  Instance one = start();
  service_.expire_sessions();
  EXPECT_FALSE(run(one.coordinator->submit(CreateDatabase{"d", {}, false})).ok());
  EXPECT_FALSE(one.coordinator->leads());
  Instance next = start();
  EXPECT_FALSE(next.coordinator->state().databases.contains("d"));
  stop(one);
  stop(next);
}

// stop() answers every request that waits, among them the coordinator's own news of servers, and refuses
// later ones.
TEST_F(CoordinatorTest, StopAnswersAllThatWait) {
  Instance one = start();
  settle();
  fill_queue(one, 500);
  // A server's registration comes behind them in the queue.
  server_up_during_work(0);
  world_.run_for(10ms);
  ASSERT_TRUE(answers_.front().has_value());
  ASSERT_FALSE(answers_.back().has_value());
  stop(one);
  for (const auto& answer : answers_) ASSERT_TRUE(answer.has_value());
  EXPECT_TRUE(answers_.front()->ok());
  EXPECT_EQ(answers_.back()->code(), ErrorCode::kNotCoordinatorLeader);
}

// The queue of requests is bounded: those that come too many are told to come again.
TEST_F(CoordinatorTest, RefusesWhenTooManyWait) {
  Instance one = start();
  settle();
  fill_queue(one, 2000);
  EXPECT_EQ(answers_.back()->code(), ErrorCode::kRequestTimeOut);
  EXPECT_FALSE(answers_.front().has_value());
  world_.run_for(10s);
  EXPECT_TRUE(answers_.front()->ok());
  stop(one);
}

// A server that restarted gets nothing that was meant for the process before it: an old order would make it
// lead again in an epoch that it led already. INV-4.
TEST_F(CoordinatorTest, ARestartedServerGetsNoOldOrders) {
  server_up(0);
  Instance one = start();
  settle();
  control_.forget();
  control_.errors[ServerId(0)] = {ErrorCode::kNetwork};  // it took the order, but its answer was lost
  std::optional<Status> made;
  begin(one.coordinator->submit(table("a")), made);
  settle();
  EXPECT_THAT(control_.arrived(0), ElementsAre("lead 0/b0:0 epoch=1"));
  // So quick that the coordinator finds only the new process when it looks.
  const std::string path = node_paths::tablet_server(ServerId(0));
  model::TabletServerRegistration registration{.registered = Timestamp(9)};
  change_at_once(Operation::remove(path));
  change_at_once(Operation::put(path, to_buffer(registration.to_json())));
  world_.run_for(3s);
  EXPECT_THAT(control_.arrived(0),
              ElementsAre("lead 0/b0:0 epoch=1", "lead 0/b0:1 epoch=1", "update servers=1 fluss.a epoch=1"));
  EXPECT_TRUE(made && made->ok());
  stop(one);
}

// News of a server that found the queue full is brought again: the server is not forgotten.
TEST_F(CoordinatorTest, SeesServersAlsoWhenTheQueueWasFull) {
  Instance one = start();
  settle();
  server_up_during_work(0);
  for (int step = 0; step < 150; ++step) {
    fill_queue(one, 2000);
    world_.run_for(20us);
  }
  EXPECT_TRUE(one.coordinator->state().servers.empty());
  world_.run_for(10s);
  EXPECT_EQ(one.coordinator->state().servers.size(), 1u);
  stop(one);
}

// A new auto-partitioned table has its first partitions at once.
TEST_F(CoordinatorTest, AutoPartitionsComeWithTheTable) {
  server_up(0);
  Instance instance = start();
  auto event = table("t");
  event.descriptor.schema = model::SchemaBuilder().column("year", model::DataType::string()).build().value();
  event.descriptor.partition_keys = {"year"};
  event.descriptor.properties.set("table.auto-partition.enabled", "true");
  event.descriptor.properties.set("table.auto-partition.time-unit", "YEAR");
  EXPECT_TRUE(run(instance.coordinator->submit(event)).ok());
  settle();
  EXPECT_NE(service_.tree().find(node_paths::partition_assignment(PartitionId(0))), nullptr);
  EXPECT_NE(service_.tree().find(node_paths::partition_assignment(PartitionId(1))), nullptr);
  EXPECT_EQ(service_.tree().find(node_paths::partition_assignment(PartitionId(2))), nullptr);
  stop(instance);
}

}  // namespace
}  // namespace strom::coordinator
