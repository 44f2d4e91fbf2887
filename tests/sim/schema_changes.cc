#include "tests/sim/schema_changes.h"

#include "async/sim_disk.h"
#include "base/contains.h"
#include "model/local_paths.h"
#include "tests/sim/writer.h"

namespace strom::sim {

using async::Task;

namespace {

constexpr const char* kDatabase = "changing";
const model::TablePath kPartitioned{kDatabase, "parted"};

}  // namespace

SchemaChanges::SchemaChanges(async::SimWorld& world, History& history)
    : world_(world), history_(history), client_(world, "schema-changer"), scope_(client_.loop()) {
  for (const char* table : {"a", "b", "c"}) exists_[{{kDatabase, table}, std::nullopt}] = false;
  for (const char* partition : {"x", "y", "z"}) exists_[{kPartitioned, partition}] = false;
}

void SchemaChanges::start() {
  client_.loop().post([this] { scope_.spawn(run()); });
}

void SchemaChanges::stop() {
  sim::run(world_, client_.loop(), scope_.stop());
  sim::run(world_, client_.loop(), client_.close());
}

Task<Status> SchemaChanges::prepare() {
  STROM_CO_TRY(co_await client_.create_database(kDatabase));
  co_return co_await client_.create_table(kPartitioned, 2, true);
}

Task<Status> SchemaChanges::change(Thing thing, bool create) {
  if (thing.partition) {
    return create ? client_.create_partition(thing.path, *thing.partition)
                  : client_.drop_partition(thing.path, *thing.partition);
  }
  return create ? client_.create_table(thing.path, 2, false) : client_.drop_table(thing.path);
}

Task<void> SchemaChanges::run() {
  bool prepared = false;
  while (!scope_.stopping() && history_.ok() && !(finishing_ && !changing_)) {
    if (prepared && !changing_) {
      auto thing = std::next(exists_.begin(), static_cast<ptrdiff_t>(world_.random(0, exists_.size() - 1)));
      changing_ = thing->first;
    }
    Status done = prepared ? co_await change(*changing_, !exists_[*changing_]) : co_await prepare();
    history_.trace(fmt::format("change {}", static_cast<int>(done.code())));
    if (done.ok() && prepared) {
      exists_[*changing_] = !exists_[*changing_];
      changing_.reset();
      ++changes_;
    } else if (done.ok()) {
      prepared = true;
    } else if (!is_transient(done.code())) {
      history_.violated("a change of {} failed: {}", changing_.value_or(Thing{kPartitioned, std::nullopt}),
                        done.error().message);
    }
    const auto pause = std::chrono::microseconds(world_.random(1'000, 60'000));
    co_await async::sleep_until(client_.loop(), scope_.deadline_after(pause));
  }
  finished_ = true;
}

void SchemaChanges::check(SimClient& client) {
  std::vector<std::string> partitions;
  if (std::ranges::any_of(exists_, [](const auto& e) { return e.first.partition && e.second; })) {
    auto listed = sim::run(world_, client.loop(), client.partitions(kPartitioned));
    if (!listed.ok()) return history_.violated("partitions can't be listed: {}", listed.error().message);
    partitions = *listed;
  }
  for (const auto& [thing, expected] : exists_) {
    if (changing_ == thing) continue;
    if (thing.partition) {
      if (contains(partitions, *thing.partition) != expected) {
        history_.violated("{} was {}, but is {}", thing, expected ? "created" : "dropped",
                          expected ? "gone" : "there");
      }
      continue;
    }
    auto found = sim::run(world_, client.loop(), client.table_exists(thing.path));
    if (!found.ok()) return history_.violated("{} can't be looked up: {}", thing, found.error().message);
    if (*found != expected) {
      history_.violated("{} was {}, but is {}", thing, expected ? "created" : "dropped",
                        expected ? "gone" : "there");
    }
  }
}

std::vector<std::string> SchemaChanges::left_over(SimClient& client, SimServer& server) {
  std::vector<std::string> owned;
  for (const auto& [thing, there] : exists_) {
    if (!there) continue;
    auto states = sim::run(world_, client.loop(), client.buckets(thing));
    if (!states.ok()) continue;
    for (const BucketState& state : *states) {
      owned.push_back("data/" + model::local_paths::log_dir(thing, state.bucket) + "/");
    }
  }
  std::vector<std::string> left;
  for (const std::string& path : server.machine().disk_image().files()) {
    if (!path.starts_with(fmt::format("data/{}/", kDatabase))) continue;
    if (std::ranges::none_of(owned, [&](const std::string& prefix) { return path.starts_with(prefix); })) {
      left.push_back(path);
    }
  }
  return left;
}

}  // namespace strom::sim
