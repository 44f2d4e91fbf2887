// How the handlers of this directory bring a client's wish to the coordinator. The event crosses to the home
// shard; whoever asked gets the coordinator's answer. Upstream counterpart: CoordinatorService (its way to
// the event manager).
#pragma once

#include "rpc/proto/common.pb.h"
#include "server/context.h"

namespace strom::server {

// kNotCoordinatorLeader when this process has no coordinator.
async::Task<Status> submit(Services& services, coordinator::Event event);

// Changes of options as they stand in a request, sorted by what they do. A key that comes twice has its last
// change.
struct OptionChanges {
  model::Properties set;
  std::vector<std::string> reset;
};
// kUnknownServerError for operations that options of tables and databases don't have: append and subtract.
Status add_change(const proto::PbAlterConfig& message, OptionChanges& changes);
template <class Messages>
Result<OptionChanges> option_changes(const Messages& messages) {
  OptionChanges changes;
  for (const proto::PbAlterConfig& message : messages) STROM_TRY(add_change(message, changes));
  return changes;
}

}  // namespace strom::server
