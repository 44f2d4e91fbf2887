// WriterState: what a log remembers of each idempotent writer: its last five batches. It finds batches that
// were sent twice and gaps in a writer's sequence (INV-5).
// Lives on: the bucket's shard (and on a worker while the log is loaded). Upstream counterparts:
// server/log/{WriterStateManager,WriterStateEntry,WriterAppendInfo}.
#pragma once

#include <array>
#include <optional>
#include <unordered_map>
#include <vector>

#include "format/log_batch.h"

namespace strom::log {

// A batch that was appended.
struct WrittenBatch {
  model::BatchSequence sequence;
  model::Offset last_offset;
  int32_t offset_delta = 0;
  model::Timestamp timestamp;
  model::Offset base_offset() const { return last_offset - offset_delta; }
  friend bool operator==(const WrittenBatch&, const WrittenBatch&) = default;
};

// The sequence after `sequence`; after 2^31 - 1 comes 0.
model::BatchSequence next_sequence(model::BatchSequence sequence);

// The last batches of one writer, at least one.
class WriterWindow {
 public:
  static constexpr size_t kBatches = 5;
  void add(const WrittenBatch& batch);
  const WrittenBatch& last() const { return batches_[(next_ + kBatches - 1) % kBatches]; }
  std::optional<WrittenBatch> find(model::BatchSequence sequence) const;
  // All that are known, oldest first.
  std::vector<WrittenBatch> batches() const;

 private:
  std::array<WrittenBatch, kBatches> batches_;
  uint8_t next_ = 0;
  uint8_t count_ = 0;
};

class WriterState {
 public:
  using Windows = std::unordered_map<model::WriterId, WriterWindow>;

  // Takes a batch that is in the log already, in any order of sequences (recovery).
  void replay(const format::LogBatchHeader& batch);
  // The next batch of a writer, from a snapshot.
  void restore(model::WriterId writer, const WrittenBatch& batch) { windows_[writer].add(batch); }
  // Forgets writers that wrote nothing since `before`; returns how many.
  size_t expire(model::Timestamp before);

  const Windows& windows() const { return windows_; }
  size_t size() const { return windows_.size(); }

 private:
  friend class WriterStateUpdate;
  Windows windows_;
};

// Who appends: a leader takes a new writer only from sequence 0 on; a follower takes what its leader took.
enum class AppendOrigin { kLeader, kFollower };

// The effect of one append with all its batches, which happens as a whole or not at all.
class WriterStateUpdate {
 public:
  WriterStateUpdate(WriterState& state, AppendOrigin origin) : state_(state), origin_(origin) {}

  // Looks at the next batch. Returns the original when the leader has it already. Errors: kOutOfOrderSequence
  // for a gap or a batch older than the window; kDuplicateSequence for a follower's duplicate.
  Result<std::optional<WrittenBatch>> add(model::WriterId writer, const WrittenBatch& batch);
  void commit();

 private:
  WriterState& state_;
  AppendOrigin origin_;
  WriterState::Windows changed_;
};

}  // namespace strom::log
