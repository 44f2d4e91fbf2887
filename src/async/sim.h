// The simulator: many machines in one thread, with virtual time, a network and disks, and faults that a seed
// chooses. The server's own code runs on it unchanged: each start of a server gets a SimRuntime, one
// incarnation of a machine.
//     SimWorld world(seed);
//     SimMachine& machine = world.add_machine("server-0");
//     auto runtime = machine.boot();            // start a server on *runtime
//     world.run_until([&] { return done; }, 10s);
//     machine.crash(Crash::kPowerLoss);         // its I/O fails from here on; stop the server, boot() again
// One seed gives one run. Time moves only when nothing is left to do at the current time.
#pragma once

#include <map>
#include <memory>
#include <random>
#include <string>

#include "async/runtime.h"
#include "async/timer_queue.h"

namespace strom::async {

class SimDiskImage;
class SimFabric;
class SimRuntime;
class SimWorld;

enum class Crash {
  kProcess,    // kill -9: the page cache survives
  kPowerLoss,  // what was not synced may be lost, in part, by choice of the seed
};

// A machine: its disk outlives the processes that run on it.
class SimMachine {
 public:
  SimMachine(SimWorld& world, std::string name, size_t shards);
  ~SimMachine();

  // A new process. The one before has crashed, or was stopped and destroyed.
  std::unique_ptr<SimRuntime> boot();
  // From now on all calls of the running process to disk and network fail, and its connections are cut. Its
  // tasks end by themselves: stop the server as usual (nothing of that reaches the disk) before the next
  // boot().
  void crash(Crash kind);

  // How long a call that a worker runs takes at most; more is a slow disk.
  static constexpr Duration kUsualCall = std::chrono::microseconds(400);
  void set_longest_call(Duration longest) { longest_call_ = longest; }
  Duration longest_call() const { return longest_call_; }

  const std::string& name() const { return name_; }
  SimDiskImage& disk_image() { return *disk_; }

 private:
  friend class SimRuntime;
  SimWorld& world_;
  std::string name_;
  size_t shards_;
  std::unique_ptr<SimDiskImage> disk_;
  SimRuntime* running_ = nullptr;
  Duration longest_call_ = kUsualCall;
};

class SimWorld {
 public:
  explicit SimWorld(uint64_t seed);
  ~SimWorld();

  SimMachine& add_machine(const std::string& name, size_t shards = 1);

  // Runs until `done()`, looked at after each event; false when `limit` of virtual time passed or nothing is
  // left to do.
  bool run_until(const std::function<bool()>& done, Duration limit);
  void run_for(Duration duration);

  Instant now() const { return now_; }
  const Clock& clock() const;
  uint64_t seed() const { return seed_; }
  uint64_t random() { return random_(); }
  // A number in [low, high].
  uint64_t random(uint64_t low, uint64_t high);
  bool chance(double probability);
  SimFabric& fabric() { return *fabric_; }

  // For the parts of the simulator.
  TimerId schedule(Instant when, Callback work) { return events_.add(when, std::move(work)); }
  void cancel(TimerId event) { events_.cancel(event); }
  EventLoop* current() const { return current_; }
  void set_current(EventLoop* loop) { current_ = loop; }

 private:
  bool step(Instant limit);

  uint64_t seed_;
  std::mt19937_64 random_;
  Instant now_{1'000'000'000};
  TimerQueue events_;
  EventLoop* current_ = nullptr;
  std::unique_ptr<Clock> clock_;
  std::unique_ptr<SimFabric> fabric_;
  std::map<std::string, std::unique_ptr<SimMachine>> machines_;
};

// One process on a machine.
class SimRuntime final : public Runtime {
 public:
  SimRuntime(SimMachine& machine, SimWorld& world, size_t shards);
  ~SimRuntime() override;

  size_t shards() const override { return loops_.size(); }
  EventLoop& loop(size_t shard) override { return *loops_[shard]; }
  Network& network() override { return *network_; }
  Disk& disk() override { return *disk_; }
  Worker& pool() override { return *pool_; }
  std::unique_ptr<Worker> make_writer(const std::string& name) override;
  const Clock& clock() const override { return world_.clock(); }
  uint64_t random() override { return world_.random(); }

  SimWorld& world() { return world_; }
  const std::string& machine_name() const { return machine_.name(); }
  bool crashed() const { return *crashed_; }

 private:
  friend class SimMachine;
  SimMachine& machine_;
  SimWorld& world_;
  std::shared_ptr<bool> crashed_ = std::make_shared<bool>(false);
  std::vector<std::unique_ptr<EventLoop>> loops_;
  std::unique_ptr<Disk> disk_;
  std::unique_ptr<Network> network_;
  std::unique_ptr<Worker> pool_;
};

}  // namespace strom::async
