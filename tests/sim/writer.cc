#include "tests/sim/writer.h"

#include "format/log_batch_builder.h"

namespace strom::sim {

using async::Task;
using model::TableBucket;

namespace {

constexpr size_t kMaxInFlight = 5;  // what a server remembers of a writer

}  // namespace

bool is_transient(ErrorCode code) {
  switch (code) {
    case ErrorCode::kNetwork:
    case ErrorCode::kRequestTimeOut:
    case ErrorCode::kNotLeaderOrFollower:
    case ErrorCode::kUnknownTableOrBucket:
    case ErrorCode::kLeaderNotAvailable:
    case ErrorCode::kNotCoordinatorLeader:
    case ErrorCode::kStorage:
    case ErrorCode::kLogStorage:
      return true;
    default:
      return false;
  }
}

Writer::Writer(async::SimWorld& world, History& history, int number, std::vector<TableBucket> buckets)
    : world_(world),
      history_(history),
      client_(world, fmt::format("writer-{}", number)),
      scope_(client_.loop()),
      buckets_(std::move(buckets)) {}

void Writer::start() {
  client_.loop().post([this] { scope_.spawn(run()); });
}

void Writer::stop() {
  sim::run(world_, client_.loop(), scope_.stop());
  sim::run(world_, client_.loop(), client_.close());
}

Task<void> Writer::pause(int64_t low_us, int64_t high_us) {
  const auto time =
      std::chrono::microseconds(world_.random(static_cast<uint64_t>(low_us), static_cast<uint64_t>(high_us)));
  co_await async::sleep_until(client_.loop(), scope_.deadline_after(time));
}

Task<void> Writer::run() {
  co_await renew();
  while (!scope_.stopping() && history_.ok()) {
    co_await round();
    bool waiting = false;
    for (const auto& [bucket, line] : lines_) waiting = waiting || !line.unacked.empty();
    if (finishing_ && !waiting) break;
    co_await pause(0, world_.chance(0.1) ? 500'000 : 30'000);
  }
  finished_ = true;
}

// A new identity: sequences begin at 0 again, and what was not acknowledged is given up.
Task<void> Writer::renew() {
  lines_.clear();
  while (!scope_.stopping()) {
    auto id = co_await client_.init_writer();
    if (id.ok()) {
      id_ = *id;
      history_.new_writer(id_);
      co_return;
    }
    if (!is_transient(id.code())) co_return history_.violated("INIT_WRITER failed: {}", id.error().message);
    co_await pause(1'000, 50'000);
  }
}

// One bucket or two of one table; when finishing, those that still wait.
std::vector<TableBucket> Writer::choose() {
  std::vector<TableBucket> candidates;
  for (const TableBucket& bucket : buckets_) {
    if (!finishing_ || !lines_[bucket].unacked.empty()) candidates.push_back(bucket);
  }
  if (candidates.empty()) return {};
  std::vector<TableBucket> chosen{candidates[world_.random(0, candidates.size() - 1)]};
  const TableBucket& other = candidates[world_.random(0, candidates.size() - 1)];
  if (other != chosen[0] && other.table == chosen[0].table) chosen.push_back(other);
  return chosen;
}

void Writer::add_batch(const TableBucket& bucket, Line& line) {
  format::LogBatchBuilder builder({.writer = id_, .sequence = line.next});
  const uint64_t records = world_.random(1, 4);
  for (uint64_t i = 0; i < records; ++i) {
    std::string row = fmt::format("{}/{}/{}/{}/{}", bucket, id_, line.next, i, world_.random());
    row.resize(row.size() + world_.random(0, world_.chance(0.05) ? 3000 : 100), '.');
    builder.add_row(format::ChangeType::kAppendOnly, as_bytes(row));
  }
  line.unacked.push_back({line.next, Slice::own(std::move(builder).finish())});
  line.next = line.next.next();
  history_.sent(bucket, line.unacked.back().bytes.view());
}

rpc::ProduceLogRequest Writer::request_of(const std::vector<TableBucket>& buckets, size_t position) {
  rpc::ProduceLogRequest request{.acks = world_.chance(0.7) ? -1 : 1,
                                 .table = buckets[0].table,
                                 .timeout = std::chrono::seconds(5),
                                 .buckets = {}};
  for (const TableBucket& bucket : buckets) {
    request.buckets.push_back({.partition = bucket.partition,
                               .bucket = bucket.bucket,
                               .records = lines_[bucket].unacked[position].bytes});
  }
  return request;
}

Task<Writer::Answers> Writer::send(std::vector<TableBucket> chosen) {
  Answers answers;
  if (!(co_await client_.connect()).ok()) {
    answers.emplace_back(chosen, make_error(ErrorCode::kNetwork, "no connection"));
    co_return answers;
  }
  std::vector<async::Started<Result<rpc::ProduceLogResponse>>> started;
  for (size_t position = 0; position < kMaxInFlight; ++position) {
    std::vector<TableBucket> buckets;
    for (const TableBucket& bucket : chosen) {
      if (position < lines_[bucket].unacked.size()) buckets.push_back(bucket);
    }
    if (buckets.empty()) break;
    started.push_back(async::start(client_.loop(), client_.produce(request_of(buckets, position))));
    answers.emplace_back(std::move(buckets), make_error(ErrorCode::kNetwork, "no answer"));
    if (world_.chance(0.2)) co_await pause(10, 2'000);
  }
  for (size_t i = 0; i < started.size(); ++i) answers[i].second = co_await started[i].join();
  co_return answers;
}

std::optional<Error> Writer::settle(const TableBucket& bucket, const Answers& answers) {
  Line& line = lines_[bucket];
  std::optional<Error> first_error;
  std::vector<model::BatchSequence> sent;
  for (const Batch& batch : line.unacked) sent.push_back(batch.sequence);
  size_t position = 0;
  for (const auto& [buckets, answer] : answers) {
    auto index = std::ranges::find(buckets, bucket);
    if (index == buckets.end()) break;
    const model::BatchSequence sequence = sent[position++];
    std::optional<Error> error;
    if (!answer.ok()) {
      error = answer.error();
    } else {
      const auto& mine = answer->buckets.at(static_cast<size_t>(index - buckets.begin()));
      if (mine.bucket != bucket.bucket || mine.partition != bucket.partition)
        history_.violated("an answer for another bucket");
      if (mine.base_offset) history_.acked(bucket, id_, sequence, *mine.base_offset);
      error = mine.error;
    }
    if (error && !first_error) first_error = error;
    if (!first_error) line.unacked.pop_front();
  }
  return first_error;
}

Task<void> Writer::round() {
  const std::vector<TableBucket> chosen = choose();
  if (chosen.empty()) co_return;
  for (const TableBucket& bucket : chosen) {
    Line& line = lines_[bucket];
    const size_t wanted = finishing_ ? 0 : world_.random(1, kMaxInFlight);
    while (line.unacked.size() < wanted) add_batch(bucket, line);
  }
  const Answers answers = co_await send(chosen);
  bool lost = false;
  for (const TableBucket& bucket : chosen) {
    auto error = settle(bucket, answers);
    if (!error) continue;
    ++resends_;
    history_.trace(fmt::format("error {} {}", bucket, static_cast<int>(error->code)));
    const bool unknown =
        error->code == ErrorCode::kOutOfOrderSequence || error->code == ErrorCode::kUnknownWriterId;
    if (unknown && history_.lost(bucket, id_)) {
      lost = true;
    } else if (!is_transient(error->code)) {
      history_.violated("bucket {}: writer {} sequence {} was refused: {}", bucket, id_,
                        lines_[bucket].unacked.front().sequence, error->message);
    }
  }
  if (lost) {
    ++renewals_;
    co_await renew();
  }
}

}  // namespace strom::sim
