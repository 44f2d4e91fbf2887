#include "tests/sim/history.h"

namespace strom::sim {

using model::Offset;
using model::TableBucket;

void History::trace(std::string_view text) {
  auto mix = [this](uint8_t byte) { hash_ = (hash_ ^ byte) * 1099511628211ULL; };
  for (char c : text) mix(static_cast<uint8_t>(c));
  for (int shift = 0; shift < 64; shift += 8) mix(static_cast<uint8_t>(world_.now().ns >> shift));
}

void History::new_writer(model::WriterId writer) {
  trace(fmt::format("writer {}", writer));
  if (!writers_.insert(writer).second) violated("writer id {} was given twice", writer);
}

void History::sent(const TableBucket& bucket, ByteView batch) {
  const auto header = format::LogBatchHeader::parse(batch).value();
  logs_[bucket].sent[{header.writer, header.sequence}] = {header.crc, header.record_count};
}

// INV-1: what stands at an offset stays what it is. INV-5: a batch stands at one offset only.
History::Placed* History::place(const TableBucket& bucket, Offset base, BatchId id) {
  BucketLog& log = logs_[bucket];
  const auto& [writer, sequence] = id;
  auto sent = log.sent.find(id);
  if (sent == log.sent.end()) {
    violated("bucket {} has a batch at {} that nobody sent: writer {} sequence {}", bucket, base, writer,
             sequence);
    return nullptr;
  }
  auto [where, is_new] = log.where.try_emplace(id, base);
  if (where->second != base) {
    violated("bucket {}: writer {} sequence {} is at {} and at {}", bucket, writer, sequence, where->second,
             base);
    return nullptr;
  }
  auto [at, unknown] = log.placed.try_emplace(base);
  if (unknown) {
    ++batches_;
    at->second = {.id = id, .records = sent->second.records, .known_at = world_.now()};
    auto next = std::next(at);
    const bool meets_next = next != log.placed.end() && base + at->second.records > next->first;
    const bool meets_previous =
        at != log.placed.begin() && std::prev(at)->first + std::prev(at)->second.records > base;
    if (meets_next || meets_previous) violated("bucket {}: the batch at {} overlaps another", bucket, base);
  } else if (at->second.id != id) {
    violated("bucket {}: the batch at {} was writer {} sequence {}, and is writer {} sequence {}", bucket,
             base, at->second.id.first, at->second.id.second, writer, sequence);
    return nullptr;
  }
  return &at->second;
}

void History::acked(const TableBucket& bucket, model::WriterId writer, model::BatchSequence sequence,
                    Offset base) {
  trace(fmt::format("acked {} {} {} {}", bucket, writer, sequence, base));
  Placed* placed = place(bucket, base, {writer, sequence});
  if (placed != nullptr && !placed->acked_at) placed->acked_at = world_.now();
}

Offset History::read(const TableBucket& bucket, Offset from, ByteView records) {
  trace(fmt::format("read {} {} {}", bucket, from, records.size()));
  format::LogBatchIterator batches(records, format::PartialTail::kAllowed);
  while (ok()) {
    auto more = batches.next();
    if (!more.ok()) violated("bucket {}: no batch at {}: {}", bucket, from, more.error().message);
    if (!more.ok() || !*more) break;
    const format::LogBatchView& batch = batches.batch();
    const BatchId id{batch.writer(), batch.sequence()};
    if (batch.base_offset() != from)
      violated("bucket {}: a gap, {} follows {}", bucket, batch.base_offset(), from);
    if (!batch.crc_ok()) violated("bucket {}: the batch at {} is damaged", bucket, from);
    Placed* placed = place(bucket, batch.base_offset(), id);
    if (placed == nullptr) break;
    if (batch.header().crc != logs_[bucket].sent[id].crc)
      violated("bucket {}: the batch at {} has another content", bucket, from);
    if (placed->timestamp.value_or(batch.commit_timestamp()) != batch.commit_timestamp()) {
      violated("bucket {}: the batch at {} had timestamp {}, and has {}", bucket, from, *placed->timestamp,
               batch.commit_timestamp());
    }
    placed->timestamp = batch.commit_timestamp();
    from = batch.next_offset();
  }
  return from;
}

std::optional<async::Instant> History::acked_at(const TableBucket& bucket, Offset base) const {
  auto log = logs_.find(bucket);
  if (log == logs_.end()) return std::nullopt;
  auto placed = log->second.placed.find(base);
  return placed == log->second.placed.end() ? std::nullopt : placed->second.acked_at;
}

void History::synced_before(async::Instant time) {
  for (auto& [bucket, log] : logs_) {
    for (auto& [base, placed] : log.placed) placed.synced |= placed.known_at < time;
  }
}

void History::log_ends(const TableBucket& bucket, Offset end, Loss loss) {
  trace(fmt::format("ends {} {}", bucket, end));
  BucketLog& log = logs_[bucket];
  auto first_lost = log.placed.lower_bound(end);
  if (first_lost == log.placed.end()) return;
  for (auto lost = first_lost; lost != log.placed.end(); ++lost) {
    const Placed& batch = lost->second;
    if (loss == Loss::kNothing || batch.synced) {
      violated("bucket {} ends at {}, but the batch at {} was {}", bucket, end, lost->first,
               batch.synced     ? "synced"
               : batch.acked_at ? "acknowledged"
                                : "read");
    }
    log.where.erase(batch.id);
    log.losers.insert(batch.id.first);
  }
  log.placed.erase(first_lost, log.placed.end());
  log.cuts.push_back(end);
}

bool History::lost(const TableBucket& bucket, model::WriterId writer) const {
  auto log = logs_.find(bucket);
  return log != logs_.end() && log->second.losers.contains(writer);
}

void History::leads(const TableBucket& bucket, int32_t epoch) {
  trace(fmt::format("leads {} {}", bucket, epoch));
  BucketLog& log = logs_[bucket];
  if (epoch <= log.epoch)
    violated("bucket {} is led in epoch {} again, after epoch {}", bucket, epoch, log.epoch);
  log.epoch = epoch;
}

}  // namespace strom::sim
