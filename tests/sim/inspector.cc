#include "tests/sim/inspector.h"

#include "tests/sim/writer.h"

namespace strom::sim {

using async::Task;
using model::TableBucket;
using namespace std::chrono_literals;

template <class F>
auto Inspector::insist(F make_task) {
  const async::Instant end = world_.now() + 30s;
  while (true) {
    auto result = run(world_, client_.loop(), make_task());
    if (result.ok() || !history_.ok()) return result;
    if (!is_transient(result.code()) || world_.now() > end) {
      history_.violated("the inspector's request failed: {}", result.error().message);
      return result;
    }
    world_.run_for(10ms);
  }
}

std::vector<BucketState> Inspector::led_buckets(const model::PhysicalTablePath& path) {
  const async::Instant end = world_.now() + 30s;
  while (true) {
    auto states = insist([&] { return client_.buckets(path); });
    if (!states.ok()) return {};
    if (!states->empty() && std::ranges::all_of(*states, [](const BucketState& b) { return b.leader == 0; }))
      return *states;
    if (world_.now() > end) {
      history_.violated("table {} has buckets without a leader", path);
      return {};
    }
    world_.run_for(10ms);
  }
}

std::vector<TableBucket> Inspector::create(const model::TablePath& path, int32_t buckets,
                                           const std::vector<std::string>& partitions) {
  (void)insist([&] { return client_.create_database(path.database); });
  (void)insist([&] { return client_.create_table(path, buckets, !partitions.empty()); });
  std::vector<model::PhysicalTablePath> parts;
  for (const std::string& partition : partitions) {
    (void)insist([&] { return client_.create_partition(path, partition); });
    parts.push_back({path, partition});
  }
  if (partitions.empty()) parts.push_back({path, std::nullopt});
  std::vector<TableBucket> made;
  for (const auto& part : parts) {
    for (const BucketState& state : led_buckets(part)) {
      history_.leads(state.bucket, state.leader_epoch);
      made.push_back(state.bucket);
    }
    tables_.push_back(part);
  }
  buckets_.insert(buckets_.end(), made.begin(), made.end());
  return made;
}

Task<Status> Inspector::read_log(TableBucket bucket, Loss loss) {
  const model::Offset end = STROM_CO_TRY(co_await client_.latest_offset(bucket));
  model::Offset next{0};
  while (next < end && history_.ok()) {
    rpc::FetchLogRequest request{.max_bytes = 1 << 20,
                                 .tables = {},
                                 .max_wait = std::nullopt,
                                 .min_bytes = std::nullopt,
                                 .read_preference = std::nullopt};
    request.tables.push_back({.table = bucket.table,
                              .projected_fields = {},
                              .buckets = {},
                              .filter_predicate = std::nullopt,
                              .filter_schema = std::nullopt});
    request.tables[0].buckets.push_back({.partition = bucket.partition,
                                         .bucket = bucket.bucket,
                                         .fetch_offset = next,
                                         .max_fetch_bytes = 1 << 20,
                                         .routing_bucket_count = std::nullopt});
    auto response = STROM_CO_TRY(co_await client_.fetch(std::move(request)));
    const auto& answer = response.tables.at(0).buckets.at(0);
    if (answer.error) co_return *answer.error;
    const model::Offset before = next;
    if (answer.records) next = history_.read(bucket, next, answer.records->flatten().view());
    if (next == before)
      history_.violated("bucket {} ends at {}, but nothing can be read at {}", bucket, end, next);
  }
  if (history_.ok()) history_.log_ends(bucket, end, loss);
  co_return Status();
}

void Inspector::read_all(Loss loss) {
  for (const TableBucket& bucket : buckets_) {
    (void)insist([&] { return read_log(bucket, loss); });
  }
}

void Inspector::after_restart(Loss loss) {
  for (const auto& table : tables_) {
    for (const BucketState& state : led_buckets(table)) history_.leads(state.bucket, state.leader_epoch);
  }
  read_all(loss);
}

}  // namespace strom::sim
