// Writer: an idempotent writer that appends to several buckets, with some batches of each in flight. After an
// error it sends what was not acknowledged again, the same bytes in the same order, as Fluss's clients do.
#pragma once

#include <deque>

#include "async/scope.h"
#include "tests/sim/history.h"
#include "tests/sim/sim_client.h"

namespace strom::sim {

class Writer {
 public:
  Writer(async::SimWorld& world, History& history, int number, std::vector<model::TableBucket> buckets);

  void start();
  // Sends nothing new from here on; finished() when all was acknowledged.
  void finish() { finishing_ = true; }
  bool finished() const { return finished_; }
  void stop();

  const std::string& machine() const { return client_.name(); }
  size_t renewals() const { return renewals_; }
  size_t resends() const { return resends_; }

 private:
  struct Batch {
    model::BatchSequence sequence;
    Slice bytes;
  };
  // One bucket's batches.
  struct Line {
    model::BatchSequence next{0};
    std::deque<Batch> unacked;
  };
  using Answers = std::vector<std::pair<std::vector<model::TableBucket>, Result<rpc::ProduceLogResponse>>>;

  async::Task<void> run();
  async::Task<void> round();
  async::Task<void> renew();
  async::Task<void> pause(int64_t low_us, int64_t high_us);
  std::vector<model::TableBucket> choose();
  void add_batch(const model::TableBucket& bucket, Line& line);
  rpc::ProduceLogRequest request_of(const std::vector<model::TableBucket>& buckets, size_t position);
  async::Task<Answers> send(std::vector<model::TableBucket> chosen);
  // What became of the bucket's batches; the first error, when there is one.
  std::optional<Error> settle(const model::TableBucket& bucket, const Answers& answers);

  async::SimWorld& world_;
  History& history_;
  SimClient client_;
  async::TaskScope scope_;
  const std::vector<model::TableBucket> buckets_;
  model::WriterId id_ = model::kNoWriter;
  std::map<model::TableBucket, Line> lines_;
  size_t renewals_ = 0;
  size_t resends_ = 0;
  bool finishing_ = false;
  bool finished_ = false;
};

// Errors after which a client tries again.
bool is_transient(ErrorCode code);

}  // namespace strom::sim
