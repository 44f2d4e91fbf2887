// What the clock asks of auto-partitioned tables: partitions for the time that begins, and the end of those
// that are past retention. The answers are ordinary events, which plan() checks like those of clients. Pure.
// Upstream counterpart: coordinator/AutoPartitionManager.
#pragma once

#include <vector>

#include "coordinator/event.h"

namespace strom::coordinator {

// Partitions to drop come first, so that they make room within max.partition.num. Nothing for a table that is
// not auto-partitioned, and none are made ahead for a table with several partition keys: their other values
// are not known.
std::vector<Event> auto_partition_events(const TableState& table, Timestamp now);
// The same for all tables.
std::vector<Event> auto_partition_events(const State& state, Timestamp now);

}  // namespace strom::coordinator
