#include "server/test_port.h"

#include <charconv>
#include <limits>

#include "base/logging.h"

namespace strom::server {

using async::Task;
using model::TableBucket;

namespace {

constexpr size_t kMaxLine = 256;
constexpr async::Duration kMaxTalk = std::chrono::seconds(10);

std::vector<std::string> words_of(std::string_view line) {
  std::vector<std::string> words;
  while (!line.empty()) {
    const size_t end = std::min(line.find(' '), line.size());
    if (end > 0) words.emplace_back(line.substr(0, end));
    line.remove_prefix(std::min(end + 1, line.size()));
  }
  return words;
}

template <class Id>
std::optional<Id> parse_id(std::string_view text) {
  typename Id::rep value{};
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return Id(value);
}

// VERB TABLE PARTITION BUCKET
std::optional<TableBucket> bucket_of(const std::vector<std::string>& words) {
  if (words.size() != 4) return std::nullopt;
  const auto table = parse_id<model::TableId>(words[1]);
  const auto partition = words[2] == "-" ? std::nullopt : parse_id<model::PartitionId>(words[2]);
  const auto bucket = parse_id<model::BucketId>(words[3]);
  if (!table || !bucket || (!partition && words[2] != "-")) return std::nullopt;
  return TableBucket{*table, partition, *bucket};
}

// What a server without remote log and lake tables knows of those is said as a Java server says it of a new
// bucket.
std::string describe(TabletShard& shard, const TableBucket& bucket) {
  auto found = shard.replicas.find(bucket);
  if (!found.ok()) return "ok none";
  const replica::Replica& replica = **found;
  const model::TableOptions& options = replica.table().options;
  return fmt::format(
      "ok leader={} leader_id={} metadata={} local_log_start_offset={} log_end_offset={} high_watermark={} "
      "data_lake_enabled={} tiered_log_local_segments={} local_log_ttl_ms={} lake_snapshot_id=-1 "
      "lake_log_end_offset=-1 "
      "lake_max_timestamp=-1 remote_log_start_offset={} remote_log_end_offset=-1",
      replica.is_leader(), replica.state().leader, shard.metadata.find(bucket.table) != nullptr,
      replica.log().start_offset(), replica.log().end_offset(), replica.high_watermark(),
      options.lake_enabled, options.tiered_local_segments,
      options.log_local_ttl.value_or(options.log_ttl).count(), std::numeric_limits<int64_t>::max());
}

Task<std::string> roll(TabletShard& shard, TableBucket bucket) {
  auto replica = shard.replicas.find(bucket);
  if (!replica.ok()) co_return "error " + replica.error().message;
  Status rolled = co_await (*replica)->log().roll();
  co_return rolled.ok() ? "ok" : "error " + rolled.error().message;
}

}  // namespace

Result<std::unique_ptr<TestPort>> TestPort::open(const Services& services, int port) {
  auto listener = services.runtime().network().listen(services.loop(), {"127.0.0.1", port});
  if (!listener.ok()) {
    return make_error(listener.code(), "strom.test.control-port: {}", listener.error().message);
  }
  return std::unique_ptr<TestPort>(new TestPort(services, std::move(*listener)));
}

void TestPort::start() {
  log_info("server", "answers tests at {}", listener_->local().to_string());
  scope_.spawn(accept_all());
}

Task<void> TestPort::stop() {
  scope_.request_stop();
  listener_->close();
  co_await scope_.stop();
}

Task<void> TestPort::accept_all() {
  while (!scope_.stopping()) {
    auto connection = co_await listener_->accept(scope_.loop());
    if (scope_.stopping() || !connection.ok()) co_return;
    scope_.spawn(serve(std::move(*connection)));
  }
}

Task<void> TestPort::serve(std::unique_ptr<async::Connection> connection) {
  const async::Deadline deadline = scope_.deadline_after(kMaxTalk);
  std::string line;
  while (line.find('\n') == std::string::npos && line.size() < kMaxLine) {
    uint8_t bytes[kMaxLine];
    auto count = co_await connection->read(bytes, deadline);
    if (!count.ok() || *count == 0) co_return connection->close();
    line.append(as_text(ByteView(bytes).first(*count)));
  }
  line.resize(std::min(line.find_first_of("\r\n"), line.size()));
  std::vector<Slice> parts;
  parts.push_back(Slice::own(co_await answer(std::move(line)) + "\n"));
  // Nobody misses the answer when the one who asked has gone.
  (void)co_await connection->write(std::move(parts), deadline);
  connection->close();
}

Task<std::string> TestPort::answer(std::string request) {
  const std::vector<std::string> words = words_of(request);
  const std::string verb = words.empty() ? "" : words[0];
  if (verb == "replicas") co_return co_await count_replicas();
  if (verb != "replica" && verb != "roll") co_return "unsupported";
  const auto bucket = bucket_of(words);
  if (!bucket) co_return fmt::format("error expected '{} TABLE PARTITION BUCKET', found '{}'", verb, request);
  const std::string refused = "error " + Services::stopping().message;
  const size_t owner = services_.owner(*bucket);
  if (verb == "roll") {
    co_return co_await services_.tablet(
        owner, [bucket = *bucket](TabletShard& shard) { return roll(shard, bucket); }, refused);
  }
  co_return co_await services_.tablet(
      owner, [bucket = *bucket](TabletShard& shard) { return describe(shard, bucket); }, refused);
}

Task<std::string> TestPort::count_replicas() {
  replica::ReplicaCounts sum;
  for (size_t shard = 0; shard < services_.tablet_shards(); ++shard) {
    const auto counts = co_await services_.tablet(
        shard, [](TabletShard& tablet) { return tablet.replicas.counts(); }, replica::ReplicaCounts());
    sum.online += counts.online;
    sum.leaders += counts.leaders;
  }
  co_return fmt::format("ok online={} leaders={}", sum.online, sum.leaders);
}

}  // namespace strom::server
