// Scenario: one run from one seed: a server, writers, readers and schema changes, and faults in between.
// After each restart, and at the end, what the clients know is compared with what the server has.
//     Scenario scenario({.seed = 7, .faults = {Fault::kKill}});
//     Outcome outcome = scenario.run();      // outcome.violation is empty when every promise was kept
#pragma once

#include "tests/sim/inspector.h"
#include "tests/sim/reader.h"
#include "tests/sim/schema_changes.h"
#include "tests/sim/sim_server.h"
#include "tests/sim/writer.h"

namespace strom::sim {

enum class Fault {
  kRestart,  // orderly
  kKill,     // kill -9
  kPowerLoss,
  kKillTwice,  // a second time while the server starts
  kPowerLossTwice,
  kCutLink,  // of one client or of all
  kSlowDisk,
};

struct ScenarioSettings {
  uint64_t seed = 1;
  std::vector<Fault> faults;     // those to choose from; one may stand more than once
  int rounds = 4;                // how many faults there are
  std::optional<size_t> shards;  // else 1 to 3
  bool schema_changes = false;
};

struct Outcome {
  std::string violation;
  uint64_t trace_hash = 0;
  size_t batches = 0;
  size_t restarts = 0;
  size_t resends = 0;
  size_t renewals = 0;
  size_t woken = 0;
  size_t changes = 0;
};

class Scenario {
 public:
  explicit Scenario(const ScenarioSettings& settings);
  Outcome run();

 private:
  void set_up();
  void do_fault(Fault fault);
  void restart(Fault fault);
  void cut_link();
  void slow_disk();
  void note_synced();
  void set_links(bool up);
  std::vector<std::string> machines() const;
  void bring_to_end();
  void check_readers();
  void tear_down();

  ScenarioSettings settings_;
  async::SimWorld world_;
  History history_;
  SimServer server_;
  Inspector inspector_;
  std::vector<std::unique_ptr<Writer>> writers_;
  std::vector<std::unique_ptr<Reader>> readers_;
  std::unique_ptr<SchemaChanges> schema_changes_;
  size_t restarts_ = 0;
};

}  // namespace strom::sim
