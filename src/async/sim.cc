#include "async/sim.h"

#include "async/sim_disk.h"
#include "async/sim_net.h"

namespace strom::async {
namespace {

class WorldClock final : public Clock {
 public:
  explicit WorldClock(const SimWorld& world) : world_(world) {}
  int64_t wall_ms() const override { return 1'700'000'000'000 + world_.now().ns / 1'000'000; }
  int64_t monotonic_ns() const override { return world_.now().ns; }

 private:
  const SimWorld& world_;
};

class SimLoop final : public EventLoop {
 public:
  explicit SimLoop(SimWorld& world) : world_(world) {}
  // Events that are left belong to nobody: a loop goes away after all that used it.
  ~SimLoop() override { *alive_ = false; }

  void post(Callback work) override { schedule(world_.now(), std::move(work)); }
  TimerId schedule(Instant when, Callback work) override {
    return world_.schedule(std::max(when, world_.now()),
                           [this, alive = alive_, work = std::move(work)]() mutable {
                             if (!*alive) return;
                             world_.set_current(this);
                             work();
                             world_.set_current(nullptr);
                           });
  }
  void cancel(TimerId timer) override { world_.cancel(timer); }
  Instant now() const override { return world_.now(); }
  bool is_current() const override { return world_.current() == this; }

 private:
  SimWorld& world_;
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

// Runs each piece of work at a later virtual time; in order of submission when `ordered`.
class SimWorker final : public Worker {
 public:
  SimWorker(SimWorld& world, const SimMachine& machine, bool ordered)
      : world_(world), machine_(machine), ordered_(ordered) {}
  ~SimWorker() override {
    STROM_CHECK(*pending_ == 0, "a simulated worker goes away with {} calls not run; run the world first",
                *pending_);
  }
  void submit(Callback work) override {
    const auto longest = std::chrono::duration_cast<std::chrono::microseconds>(machine_.longest_call());
    Instant when =
        world_.now() + std::chrono::microseconds(world_.random(1, static_cast<uint64_t>(longest.count())));
    if (ordered_) when = last_ = std::max(when, last_ + Duration(1));
    ++*pending_;
    world_.schedule(when, [pending = pending_, work = std::move(work)]() mutable {
      work();
      --*pending;
    });
  }

 private:
  SimWorld& world_;
  const SimMachine& machine_;
  bool ordered_;
  Instant last_{};
  std::shared_ptr<size_t> pending_ = std::make_shared<size_t>(0);
};

}  // namespace

SimMachine::SimMachine(SimWorld& world, std::string name, size_t shards)
    : world_(world), name_(std::move(name)), shards_(shards), disk_(std::make_unique<SimDiskImage>(world)) {}

SimMachine::~SimMachine() = default;

std::unique_ptr<SimRuntime> SimMachine::boot() {
  STROM_CHECK(running_ == nullptr, "{} still runs a process", name_);
  auto runtime = std::make_unique<SimRuntime>(*this, world_, shards_);
  running_ = runtime.get();
  return runtime;
}

void SimMachine::crash(Crash kind) {
  if (running_ != nullptr) *running_->crashed_ = true;
  world_.fabric().cut_machine(name_);
  disk_->unlock_all();
  if (kind == Crash::kPowerLoss) disk_->lose_power();
}

SimWorld::SimWorld(uint64_t seed)
    : seed_(seed),
      random_(seed),
      clock_(std::make_unique<WorldClock>(*this)),
      fabric_(std::make_unique<SimFabric>(*this)) {}

SimWorld::~SimWorld() = default;

SimMachine& SimWorld::add_machine(const std::string& name, size_t shards) {
  auto& machine = machines_[name];
  STROM_CHECK(machine == nullptr, "there is a machine {} already", name);
  machine = std::make_unique<SimMachine>(*this, name, shards);
  return *machine;
}

const Clock& SimWorld::clock() const { return *clock_; }

uint64_t SimWorld::random(uint64_t low, uint64_t high) { return low + random_() % (high - low + 1); }

bool SimWorld::chance(double probability) {
  return static_cast<double>(random_() >> 11) * 0x1.0p-53 < probability;
}

bool SimWorld::step(Instant limit) {
  if (events_.empty() || events_.next() > limit) return false;
  now_ = std::max(now_, events_.next());
  events_.pop_due(now_)();
  return true;
}

bool SimWorld::run_until(const std::function<bool()>& done, Duration limit) {
  const Instant end = now_ + limit;
  while (!done()) {
    if (step(end)) continue;
    now_ = std::max(now_, events_.empty() ? now_ : end);
    return done();
  }
  return true;
}

void SimWorld::run_for(Duration duration) {
  const Instant end = now_ + duration;
  while (step(end)) {
  }
  now_ = end;
}

SimRuntime::SimRuntime(SimMachine& machine, SimWorld& world, size_t shards)
    : machine_(machine), world_(world) {
  for (size_t i = 0; i < shards; ++i) loops_.push_back(std::make_unique<SimLoop>(world));
  disk_ = machine.disk_->open_for(crashed_);
  network_ = world.fabric().network_of(machine.name(), crashed_);
  pool_ = std::make_unique<SimWorker>(world, machine, false);
}

SimRuntime::~SimRuntime() {
  if (machine_.running_ == this) machine_.running_ = nullptr;
}

std::unique_ptr<Worker> SimRuntime::make_writer(const std::string&) {
  return std::make_unique<SimWorker>(world_, machine_, true);
}

}  // namespace strom::async
