// Support for tests that use replicas: a simulated machine with a data directory, tables in a map, and the
// replicas of one shard. Tests only.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "log/log_testing.h"
#include "replica/fetch_wait.h"
#include "replica/replica_set.h"

namespace strom::replica::testing {

using log::testing::BatchSpec;
using log::testing::bucket;
using model::BucketEpoch;
using model::LeaderEpoch;
using model::Offset;
using model::ServerId;
using model::TableBucket;

// Tables that the test puts there; each answer takes a millisecond.
class MapTables final : public TableSource {
 public:
  explicit MapTables(async::EventLoop& loop) : loop_(loop) {}
  async::Task<Result<std::shared_ptr<const model::TableInfo>>> table(model::TablePath path,
                                                                     model::TableId id) override;
  async::Task<Result<std::shared_ptr<const model::Schema>>> schema(model::TablePath path,
                                                                   model::SchemaId id) override;

  std::map<model::TableId, std::shared_ptr<const model::TableInfo>> tables;

 private:
  async::EventLoop& loop_;
};

// Server 0 with the table db.t, id 7, of columns (a INT, b STRING) in the ARROW log format, and db.rows, id
// 8, INDEXED.
class ReplicaSite {
 public:
  explicit ReplicaSite(size_t min_in_sync = 1, uint64_t seed = 1);
  ~ReplicaSite();

  // Stops the server and starts it again: in order, killed, or after a power failure.
  void restart();
  void crash(async::Crash kind);

  // An order for a bucket of table 7 or 8.
  static Leadership order(TableBucket bucket, int32_t epoch, std::vector<int32_t> isr = {0},
                          int32_t leader = 0, int32_t bucket_epoch = -1);
  // Gives the replica its role: the error, or kNone.
  ErrorCode lead(Leadership order);
  std::shared_ptr<Replica> find(TableBucket bucket) { return set->find(bucket).value(); }
  // A new leader of a bucket that is alone in sync.
  std::shared_ptr<Replica> leader(TableBucket bucket = testing::bucket(), int32_t epoch = 0);

  // Appends a batch of rows; the base offset.
  Result<Offset> append(Replica& replica, int32_t records, Acks acks = Acks::kLeader);
  Result<FetchAnswer> fetch(Replica& replica, FetchSpec spec) {
    return site.run(replica.fetch(std::move(spec)));
  }
  // Number of records and base offset of each batch, e.g. "0+3 3+2".
  static std::string batches(const rpc::Payload& records);
  async::Instant in(async::Duration duration) { return site.loop().now() + duration; }

  log::testing::SimSite site;
  size_t min_in_sync;
  std::unique_ptr<MapTables> tables;
  std::set<TableBucket> known;  // to the metadata
  std::unique_ptr<ReplicaSet> set;

 private:
  void open();
  void close();
};

// A batch in the ARROW format with rows (first, "x"), (first + 1, "x") and so on.
Buffer arrow_batch(int32_t first, int32_t records);

}  // namespace strom::replica::testing
