// WriterSnapshot: the state of a log's writers at an offset, as a file: Fluss's document with the last batch
// of each writer, and the rest of its window in a member of our own. Pure; any thread. Format:
// docs/formats/writer-snapshot.md. Upstream counterpart: server/log/WriterStateManager.
#pragma once

#include <string>

#include "log/writer_state.h"

namespace strom::log {

struct WriterSnapshot {
  model::Offset offset;  // covers the batches before it
  std::string json;
};

WriterSnapshot make_writer_snapshot(const WriterState& writers, model::Offset offset);
// kCorruptMessage when `json` is no snapshot that can have been made at `offset`.
Result<WriterState> parse_writer_snapshot(std::string_view json, model::Offset offset);

}  // namespace strom::log
