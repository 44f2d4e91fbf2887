#include "tests/sim/reader.h"

#include "tests/sim/writer.h"

namespace strom::sim {

using async::Task;
using model::TableBucket;
using namespace std::chrono_literals;

namespace {

constexpr async::Duration kReachesServer = 40ms;
constexpr async::Duration kWakesWithin = 50ms;

}  // namespace

Reader::Reader(async::SimWorld& world, History& history, int number, std::vector<TableBucket> buckets)
    : world_(world),
      history_(history),
      client_(world, fmt::format("reader-{}", number)),
      scope_(client_.loop()),
      buckets_(std::move(buckets)) {
  for (const TableBucket& bucket : buckets_) positions_[bucket];
}

void Reader::start() {
  client_.loop().post([this] { scope_.spawn(run()); });
}

// The server ends a long poll when its connection goes.
void Reader::stop() {
  scope_.request_stop();
  sim::run(world_, client_.loop(), client_.close());
  sim::run(world_, client_.loop(), scope_.stop());
  sim::run(world_, client_.loop(), client_.close());
}

Task<void> Reader::run() {
  while (!scope_.stopping() && history_.ok()) co_await round();
}

rpc::FetchLogRequest Reader::request() {
  rpc::FetchLogRequest request{.max_bytes = world_.chance(0.2) ? 300 : 1 << 20,
                               .tables = {},
                               .max_wait = Millis(world_.random(0, 3000)),
                               .min_bytes = 1,
                               .read_preference = std::nullopt};
  for (const TableBucket& bucket : buckets_) {
    Position& position = positions_[bucket];
    const auto& cuts = history_.cuts(bucket);
    for (; position.cuts_seen < cuts.size(); ++position.cuts_seen) {
      position.next = std::min(position.next, cuts[position.cuts_seen]);
    }
    if (request.tables.empty() || request.tables.back().table != bucket.table) {
      request.tables.push_back({.table = bucket.table,
                                .projected_fields = {},
                                .buckets = {},
                                .filter_predicate = std::nullopt,
                                .filter_schema = std::nullopt});
    }
    request.tables.back().buckets.push_back({.partition = bucket.partition,
                                             .bucket = bucket.bucket,
                                             .fetch_offset = position.next,
                                             .max_fetch_bytes = world_.chance(0.2) ? 100 : 1 << 20,
                                             .routing_bucket_count = std::nullopt});
  }
  return request;
}

Task<void> Reader::round() {
  Status connected = co_await client_.connect();
  if (connected.ok()) {
    const async::Instant asked = client_.loop().now();
    auto response = co_await client_.fetch(request());
    if (response.ok()) {
      for (const auto& table : response->tables) {
        for (const auto& bucket : table.buckets)
          take({table.table, bucket.partition, bucket.bucket}, bucket, asked);
      }
      co_return;
    }
    connected = response.error();
  }
  history_.trace(fmt::format("fetch failed {}", static_cast<int>(connected.code())));
  if (!is_transient(connected.code())) history_.violated("a fetch failed: {}", connected.error().message);
  const auto pause = std::chrono::microseconds(world_.random(1'000, 50'000));
  co_await async::sleep_until(client_.loop(), scope_.deadline_after(pause));
}

void Reader::take(const TableBucket& bucket, const rpc::FetchLogResponse::Bucket& answer,
                  async::Instant asked) {
  Position& position = positions_.at(bucket);
  if (answer.error) {
    history_.trace(fmt::format("fetch error {} {}", bucket, static_cast<int>(answer.error->code)));
    if (!is_transient(answer.error->code)) {
      history_.violated("bucket {} can't be read at {}: {}", bucket, position.next, answer.error->message);
    }
    return;
  }
  if (!answer.records || answer.records->empty()) return;
  const Slice records = answer.records->flatten();
  check_wake(bucket, position.next, asked);
  const model::Offset next = history_.read(bucket, position.next, records.view());
  if (next == position.next)
    history_.violated("bucket {}: the {} bytes at {} hold no whole batch", bucket, records.size(), next);
  position.next = next;
}

// A poll that was waiting when the batch at `base` was acknowledged has it soon after.
void Reader::check_wake(const TableBucket& bucket, model::Offset base, async::Instant asked) {
  auto acked = history_.acked_at(bucket, base);
  if (!acked || asked + kReachesServer > *acked) return;
  ++woken_;
  if (history_.slow() || world_.now() <= *acked + kWakesWithin) return;
  history_.violated("bucket {}: a waiting reader got the batch at {} {} ms after its acknowledgement", bucket,
                    base, (world_.now() - *acked).count() / 1'000'000);
}

}  // namespace strom::sim
