// Loads the State from the metadata store when a coordinator takes over. Assignments of tables and partitions
// that are gone become deletions to finish. Who is alive is not loaded: that comes as events.
#pragma once

#include "async/task.h"
#include "coordinator/state.h"
#include "metastore/metastore.h"

namespace strom::coordinator {

// kLogStorage or kUnknownServerError when a node can't be read: which one, and why.
async::Task<Result<State>> load_state(metastore::Metastore& store);

}  // namespace strom::coordinator
