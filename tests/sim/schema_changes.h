// SchemaChanges: creates and drops tables and partitions, one after the other, and insists on each until it
// is acknowledged. What was acknowledged must hold after every restart, and drops leave no files behind.
#pragma once

#include <map>

#include "async/scope.h"
#include "tests/sim/history.h"
#include "tests/sim/sim_client.h"
#include "tests/sim/sim_server.h"

namespace strom::sim {

class SchemaChanges {
 public:
  SchemaChanges(async::SimWorld& world, History& history);

  void start();
  void finish() { finishing_ = true; }
  bool finished() const { return finished_; }
  void stop();
  const std::string& machine() const { return client_.name(); }
  size_t changes() const { return changes_; }

  // Asks with `client`, from outside of the loops: all that was acknowledged is there, all that was dropped
  // is not.
  void check(SimClient& client);
  // Of the database's files, those that belong to nothing that exists. To be called after finish().
  std::vector<std::string> left_over(SimClient& client, SimServer& server);

 private:
  // A table, or a partition of the partitioned one.
  using Thing = model::PhysicalTablePath;
  async::Task<void> run();
  async::Task<Status> change(Thing thing, bool create);
  async::Task<Status> prepare();

  async::SimWorld& world_;
  History& history_;
  SimClient client_;
  async::TaskScope scope_;
  std::map<Thing, bool> exists_;  // as acknowledged
  std::optional<Thing> changing_;
  size_t changes_ = 0;
  bool finishing_ = false;
  bool finished_ = false;
};

}  // namespace strom::sim
