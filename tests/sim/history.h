// History: what the clients of a run have sent, what was acknowledged and what was read: the truth that a
// server is held to. The first broken promise is kept as text. It also hashes all that happens, with its
// time: equal hashes mean equal runs.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "async/sim.h"
#include "format/log_batch.h"
#include "model/table_bucket.h"

namespace strom::sim {

// What a log may have lost when a server is back.
enum class Loss {
  kNothing,   // the process ended, the page cache survived: every acknowledged batch is there
  kUnsynced,  // the power failed: a beginning of the log is there, with all that was synced
};

class History {
 public:
  explicit History(async::SimWorld& world) : world_(world) {}

  // The first violation, with the time of it; empty while all is well.
  const std::string& violation() const { return violation_; }
  bool ok() const { return violation_.empty(); }
  template <class... Args>
  void violated(fmt::format_string<Args...> format, Args&&... args) {
    if (!ok()) return;
    violation_ = fmt::format("at {} ms: {}", world_.now().ns / 1'000'000,
                             fmt::format(format, std::forward<Args>(args)...));
  }

  // Everything that a client learns goes in here.
  void trace(std::string_view text);
  uint64_t trace_hash() const { return hash_; }

  // The number that INIT_WRITER gave: nobody got it before.
  void new_writer(model::WriterId writer);
  // A batch that is about to be sent for the first time.
  void sent(const model::TableBucket& bucket, ByteView batch);
  void acked(const model::TableBucket& bucket, model::WriterId writer, model::BatchSequence sequence,
             model::Offset base);
  // Whole batches that a reader got from `from` on. Returns where it goes on.
  model::Offset read(const model::TableBucket& bucket, model::Offset from, ByteView records);
  // When the batch that starts at `base` was acknowledged, if it was.
  std::optional<async::Instant> acked_at(const model::TableBucket& bucket, model::Offset base) const;
  // Batches that were acknowledged or read since the start of the run.
  size_t batches() const { return batches_; }

  // All that was known before `time` is on stable storage.
  void synced_before(async::Instant time);
  // The log of a server that is back ends at `end`; all before it was given to read().
  void log_ends(const model::TableBucket& bucket, model::Offset end, Loss loss);
  // Whether acknowledged batches of this writer were lost by a power loss.
  bool lost(const model::TableBucket& bucket, model::WriterId writer) const;
  // The ends of a bucket's log after each restart that lost something, in order: who was behind one starts
  // there again.
  const std::vector<model::Offset>& cuts(const model::TableBucket& bucket) { return logs_[bucket].cuts; }

  // A bucket's epoch after a start of the server: higher than before it (INV-4).
  void leads(const model::TableBucket& bucket, int32_t epoch);

  // While calls to the disk take long, nothing is said about times.
  void set_slow_until(async::Instant time) { slow_until_ = std::max(slow_until_, time); }
  bool slow() const { return world_.now() < slow_until_; }

 private:
  using BatchId = std::pair<model::WriterId, model::BatchSequence>;
  struct Sent {
    uint32_t crc = 0;
    int32_t records = 0;
  };
  struct Placed {
    BatchId id;
    int32_t records = 0;
    async::Instant known_at;
    std::optional<model::Timestamp> timestamp;
    std::optional<async::Instant> acked_at;
    bool synced = false;
  };
  struct BucketLog {
    std::map<BatchId, Sent> sent;
    std::map<model::Offset, Placed> placed;
    std::map<BatchId, model::Offset> where;
    std::set<model::WriterId> losers;
    std::vector<model::Offset> cuts;
    int32_t epoch = -1;
  };

  Placed* place(const model::TableBucket& bucket, model::Offset base, BatchId id);

  async::SimWorld& world_;
  std::string violation_;
  uint64_t hash_ = 14695981039346656037ULL;
  std::map<model::TableBucket, BucketLog> logs_;
  std::set<model::WriterId> writers_;
  size_t batches_ = 0;
  async::Instant slow_until_;
};

}  // namespace strom::sim
