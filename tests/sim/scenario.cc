#include "tests/sim/scenario.h"

#include "async/sim_net.h"

namespace strom::sim {

using async::Crash;
using namespace std::chrono_literals;

namespace {

// What was known so long ago is on stable storage: a round of flushes began and ended since.
constexpr async::Duration kSyncedWithin = kFlushInterval + 250ms;

ServerSettings server_settings(const ScenarioSettings& settings) {
  const size_t shards = settings.shards.value_or(1 + settings.seed % 3);
  return {.shards = shards, .segment_bytes = settings.seed % 2 == 0 ? "8kb" : "1024m"};
}

}  // namespace

Scenario::Scenario(const ScenarioSettings& settings)
    : settings_(settings),
      world_(settings.seed),
      history_(world_),
      server_(world_, server_settings(settings)),
      inspector_(world_, history_) {}

Outcome Scenario::run() {
  set_up();
  for (int round = 0; round < settings_.rounds && history_.ok(); ++round) {
    world_.run_for(std::chrono::microseconds(world_.random(10'000, 1'500'000)));
    if (settings_.faults.empty()) continue;
    do_fault(settings_.faults[world_.random(0, settings_.faults.size() - 1)]);
  }
  if (history_.ok()) bring_to_end();
  Outcome outcome{.batches = history_.batches(), .restarts = restarts_};
  for (const auto& writer : writers_) {
    outcome.resends += writer->resends();
    outcome.renewals += writer->renewals();
  }
  for (const auto& reader : readers_) outcome.woken += reader->woken();
  if (schema_changes_) outcome.changes = schema_changes_->changes();
  tear_down();
  history_.trace(fmt::format("{}", world_.random()));
  outcome.violation = history_.violation();
  outcome.trace_hash = history_.trace_hash();
  return outcome;
}

void Scenario::set_up() {
  Status started = server_.start();
  if (!started.ok()) return history_.violated("the server does not start: {}", started.error().message);
  const auto plain = inspector_.create({"sim", "plain"}, static_cast<int32_t>(world_.random(1, 4)));
  const auto parted =
      inspector_.create({"sim", "parted"}, static_cast<int32_t>(world_.random(1, 2)), {"p1", "p2"});
  if (!history_.ok()) return;
  std::vector<model::TableBucket> all = plain;
  all.insert(all.end(), parted.begin(), parted.end());
  const int writers = static_cast<int>(world_.random(1, 3));
  for (int i = 0; i < writers; ++i) writers_.push_back(std::make_unique<Writer>(world_, history_, i, all));
  readers_.push_back(std::make_unique<Reader>(world_, history_, 0, all));
  readers_.push_back(std::make_unique<Reader>(world_, history_, 1, plain));
  readers_.push_back(std::make_unique<Reader>(world_, history_, 2, std::vector{all.back()}));
  if (settings_.schema_changes) schema_changes_ = std::make_unique<SchemaChanges>(world_, history_);
  for (auto& writer : writers_) writer->start();
  for (auto& reader : readers_) reader->start();
  if (schema_changes_) schema_changes_->start();
}

std::vector<std::string> Scenario::machines() const {
  std::vector<std::string> names;
  for (const auto& writer : writers_) names.push_back(writer->machine());
  for (const auto& reader : readers_) names.push_back(reader->machine());
  if (schema_changes_) names.push_back(schema_changes_->machine());
  return names;
}

void Scenario::set_links(bool up) {
  for (const std::string& machine : machines()) {
    if (up) {
      world_.fabric().heal(machine, kServer);
    } else {
      world_.fabric().cut(machine, kServer);
    }
  }
}

void Scenario::do_fault(Fault fault) {
  switch (fault) {
    case Fault::kRestart:
    case Fault::kKill:
    case Fault::kPowerLoss:
    case Fault::kKillTwice:
    case Fault::kPowerLossTwice:
      return restart(fault);
    case Fault::kCutLink:
      return cut_link();
    case Fault::kSlowDisk:
      return slow_disk();
  }
}

void Scenario::note_synced() {
  const async::Instant time{world_.now().ns - kSyncedWithin.count()};
  if (time > server_.started_at() && !history_.slow()) history_.synced_before(time);
}

// The clients are cut off until the inspector has seen what is left.
void Scenario::restart(Fault fault) {
  ++restarts_;
  note_synced();
  const bool power = fault == Fault::kPowerLoss || fault == Fault::kPowerLossTwice;
  const Crash kind = power ? Crash::kPowerLoss : Crash::kProcess;
  if (fault == Fault::kRestart) {
    Status stopped = server_.stop();
    if (!stopped.ok()) history_.violated("the server did not stop cleanly: {}", stopped.error().message);
  } else {
    server_.crash(kind);
  }
  set_links(false);
  if (fault == Fault::kKillTwice || fault == Fault::kPowerLossTwice) {
    server_.start_and_crash(std::chrono::microseconds(world_.random(0, 20'000)), kind);
  }
  world_.run_for(std::chrono::microseconds(world_.random(0, 200'000)));
  Status started = server_.start();
  if (!started.ok()) return history_.violated("the server does not start again: {}", started.error().message);
  inspector_.after_restart(power ? Loss::kUnsynced : Loss::kNothing);
  if (schema_changes_ && history_.ok()) schema_changes_->check(inspector_.client());
  set_links(true);
}

void Scenario::cut_link() {
  const auto names = machines();
  const std::string& one = names[world_.random(0, names.size() - 1)];
  const bool all = world_.chance(0.3);
  if (all) {
    set_links(false);
  } else {
    world_.fabric().cut(one, kServer);
  }
  world_.run_for(std::chrono::microseconds(world_.random(100, 400'000)));
  set_links(true);
}

void Scenario::slow_disk() {
  server_.machine().set_longest_call(30ms);
  const async::Duration time = std::chrono::microseconds(world_.random(100'000, 1'000'000));
  history_.set_slow_until(world_.now() + time + 2s);
  world_.run_for(time);
  server_.machine().set_longest_call(async::SimMachine::kUsualCall);
}

void Scenario::bring_to_end() {
  for (auto& writer : writers_) writer->finish();
  if (schema_changes_) schema_changes_->finish();
  auto finished = [&] {
    return !history_.ok() || (std::ranges::all_of(writers_, [](const auto& w) { return w->finished(); }) &&
                              (schema_changes_ == nullptr || schema_changes_->finished()));
  };
  if (!world_.run_until(finished, 60s))
    history_.violated("the writers do not get their batches acknowledged");
  if (!history_.ok()) return;
  inspector_.read_all(Loss::kNothing);
  check_readers();
  if (schema_changes_ && history_.ok()) {
    schema_changes_->check(inspector_.client());
    world_.run_for(10s);
    const auto left = schema_changes_->left_over(inspector_.client(), server_);
    if (!left.empty()) history_.violated("{} files belong to nothing, the first is {}", left.size(), left[0]);
  }
}

// Every reader gets to the end of every bucket.
void Scenario::check_readers() {
  for (const auto& reader : readers_) {
    for (const auto& bucket : reader->buckets()) {
      SimClient& client = inspector_.client();
      const auto end = sim::run(world_, client.loop(), client.latest_offset(bucket));
      if (!end.ok())
        return history_.violated("bucket {} has no latest offset: {}", bucket, end.error().message);
      const bool caught_up =
          world_.run_until([&] { return reader->position(bucket) >= *end || !history_.ok(); }, 30s);
      if (!caught_up)
        history_.violated("bucket {}: a reader stays at {}, the end is {}", bucket, reader->position(bucket),
                          *end);
    }
  }
}

void Scenario::tear_down() {
  set_links(true);
  for (auto& writer : writers_) writer->stop();
  for (auto& reader : readers_) reader->stop();
  if (schema_changes_) schema_changes_->stop();
  inspector_.close();
  if (!server_.running()) return;
  Status stopped = server_.stop();
  if (!stopped.ok()) history_.violated("the server did not stop cleanly: {}", stopped.error().message);
}

}  // namespace strom::sim
