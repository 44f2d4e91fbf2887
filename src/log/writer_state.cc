#include "log/writer_state.h"

#include <algorithm>

namespace strom::log {

model::BatchSequence next_sequence(model::BatchSequence sequence) {
  return sequence.value == INT32_MAX ? model::BatchSequence(0) : sequence.next();
}

void WriterWindow::add(const WrittenBatch& batch) {
  batches_[next_] = batch;
  next_ = static_cast<uint8_t>((next_ + 1) % kBatches);
  count_ = static_cast<uint8_t>(std::min<size_t>(count_ + 1, kBatches));
}

std::optional<WrittenBatch> WriterWindow::find(model::BatchSequence sequence) const {
  auto end = batches_.begin() + count_;
  auto found =
      std::find_if(batches_.begin(), end, [&](const WrittenBatch& b) { return b.sequence == sequence; });
  return found == end ? std::nullopt : std::optional(*found);
}

std::vector<WrittenBatch> WriterWindow::batches() const {
  std::vector<WrittenBatch> ordered;
  for (size_t i = kBatches - count_; i < kBatches; ++i) ordered.push_back(batches_[(next_ + i) % kBatches]);
  return ordered;
}

void WriterState::replay(const format::LogBatchHeader& batch) {
  if (!batch.has_writer()) return;
  windows_[batch.writer].add(
      {batch.sequence, batch.last_offset(), batch.last_offset_delta, batch.commit_timestamp});
}

size_t WriterState::expire(model::Timestamp before) {
  return std::erase_if(windows_, [&](const auto& entry) { return entry.second.last().timestamp < before; });
}

Result<std::optional<WrittenBatch>> WriterStateUpdate::add(model::WriterId writer,
                                                           const WrittenBatch& batch) {
  auto changed = changed_.find(writer);
  if (changed == changed_.end()) {
    auto known = state_.windows_.find(writer);
    if (known != state_.windows_.end()) changed = changed_.emplace(writer, known->second).first;
  }
  if (changed == changed_.end()) {
    if (origin_ == AppendOrigin::kLeader && batch.sequence.value != 0) {
      return make_error(
          ErrorCode::kOutOfOrderSequence,
          "writer {} is not known here (it is new, or its state has expired): expected sequence 0, "
          "found {}",
          writer, batch.sequence);
    }
    changed_[writer].add(batch);
    return std::optional<WrittenBatch>();
  }
  WriterWindow& window = changed->second;
  if (auto original = window.find(batch.sequence)) {
    if (origin_ == AppendOrigin::kLeader) return original;
    return make_error(ErrorCode::kDuplicateSequence,
                      "batch {} of writer {} is in the log already, at offset {}", batch.sequence, writer,
                      original->base_offset());
  }
  const model::BatchSequence expected = next_sequence(window.last().sequence);
  if (batch.sequence != expected) {
    return make_error(ErrorCode::kOutOfOrderSequence,
                      "out of order sequence of writer {} at offset {}: expected {}, found {}", writer,
                      batch.base_offset(), expected, batch.sequence);
  }
  window.add(batch);
  return std::optional<WrittenBatch>();
}

void WriterStateUpdate::commit() {
  for (auto& [writer, window] : changed_) state_.windows_.insert_or_assign(writer, window);
}

}  // namespace strom::log
