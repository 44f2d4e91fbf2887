// WriterSnapshot: the state of a log's writers at an offset, as a file. Only the last batch of each writer is
// in it, so after a restart the window of a writer holds what follows the newest snapshot, and one batch
// before. Pure; any thread. Format: docs/formats/writer-snapshot.md. Upstream counterpart:
// server/log/WriterStateManager.
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
