// FETCH_LOG: whole batches of many buckets in one answer, or a wait until there are some. The buckets are
// looked at from another one on in each request of a connection, so that a full answer never starves those at
// the end of the list.
#include "rpc/messages/fetch_log.h"

#include <map>
#include <unordered_map>

#include "async/join.h"
#include "rpc/typed.h"
#include "server/handlers.h"

namespace strom::server {

using async::Task;
using rpc::FetchLogRequest;
using rpc::FetchLogResponse;

namespace {

constexpr async::Duration kDefaultWait = std::chrono::milliseconds(100);

struct Part {
  size_t table = 0;  // index in the request
  size_t bucket = 0;
  model::TableBucket key;
  model::Offset from;  // or kFetchFromEarliest
  size_t max_bytes = 0;
  bool project = false;
  std::shared_ptr<const std::vector<int32_t>> projection;
};

struct PartAnswer {
  Part part;
  FetchLogResponse::Bucket answer;
  model::Offset next;    // where the part waits for more
  bool can_wait = true;  // no error, or one that another fetch may not have
};

// Errors that end a wait at once; the others only mean that the client's metadata is old.
bool is_soft(ErrorCode code) {
  return code == ErrorCode::kNotLeaderOrFollower || code == ErrorCode::kUnknownTableOrBucket;
}

Task<PartAnswer> read_part(TabletShard& shard, Part part, size_t budget, bool at_least_one) {
  PartAnswer done{part, {.partition = part.key.partition, .bucket = part.key.bucket}, part.from, true};
  auto replica = shard.replicas.find(part.key);
  if (!replica.ok()) {
    done.can_wait = is_soft(replica.code());
    done.answer.error = std::move(replica).error();
    co_return done;
  }
  if (part.from == rpc::kFetchFromEarliest) done.next = (*replica)->log().start_offset();
  replica::FetchSpec spec{.from = done.next,
                          .max_bytes = std::min(part.max_bytes, budget),
                          .at_least_one_batch = at_least_one,
                          .projection = part.projection ? *part.projection : std::vector<int32_t>(),
                          .project = part.project};
  auto read = co_await (*replica)->fetch(std::move(spec));
  if (!read.ok()) {
    done.can_wait = is_soft(read.code());
    done.answer.error = std::move(read).error();
    co_return done;
  }
  done.answer.high_watermark = read->high_watermark;
  done.answer.log_start_offset = model::Offset(0);  // as all Fluss servers: clients ask LIST_OFFSETS
  // Present even when empty: Java clients fail on a bucket without records, and lose those of the others.
  done.answer.records = std::move(read->records);
  co_return done;
}

size_t bytes_of(const PartAnswer& part) { return part.answer.records ? part.answer.records->size() : 0; }

// Nothing: the shard is stopping and was not asked.
using ShardAnswers = std::optional<std::vector<PartAnswer>>;

Task<ShardAnswers> read_parts(TabletShard& shard, std::vector<Part> parts, size_t budget) {
  std::vector<PartAnswer> answers;
  bool some = false;
  for (Part& part : parts) {
    answers.push_back(co_await read_part(shard, std::move(part), budget, !some));
    const size_t bytes = bytes_of(answers.back());
    some = some || bytes > 0;
    budget -= std::min(budget, bytes);
  }
  co_return answers;
}

Task<bool> wait_on(TabletShard& shard, replica::FetchWaitId id, std::vector<replica::FetchPosition> positions,
                   async::Instant until) {
  co_return co_await shard.waits.wait(id, std::move(positions), until);
}

}  // namespace

// The fetches of one shard's connections.
class FetchLogHandler {
 public:
  explicit FetchLogHandler(Services& services)
      : services_(services), next_wait_(uint64_t{services.shard()} << 48) {}

  Task<Result<FetchLogResponse>> fetch(rpc::RequestContext context, FetchLogRequest request) {
    if (request.follower != model::kNoServer) {
      co_return make_error(ErrorCode::kUnsupportedVersion,
                           "server {} asks for replica data, but this server runs alone and has no followers",
                           request.follower);
    }
    const async::Instant until = wait_until(context, request);
    const size_t min_bytes = static_cast<size_t>(std::max(0, request.min_bytes.value_or(0)));
    bool last_look = false;
    while (true) {
      auto answers = co_await read_all(context, request);
      size_t bytes = 0;
      bool can_wait = request.min_bytes.has_value() && answers.size() == bucket_count(request);
      bool any_read = false;
      for (const PartAnswer& part : answers) {
        bytes += bytes_of(part);
        can_wait = can_wait && part.can_wait;
        any_read = any_read || !part.answer.error;
      }
      const bool late = last_look || services_.loop().now() >= until || context.deadline.stopped();
      if (bytes >= min_bytes || !can_wait || !any_read || late)
        co_return assemble(request, std::move(answers));
      // A wait that ends early without news is on a shard that stops: another one would end at once, too.
      last_look = !co_await wait_for_data(context, answers, until);
    }
  }

 private:
  async::Instant wait_until(const rpc::RequestContext& context, const FetchLogRequest& request) const {
    if (!request.min_bytes) return services_.loop().now();
    const async::Duration wait = request.max_wait ? async::Duration(*request.max_wait) : kDefaultWait;
    return std::min(services_.loop().now() + std::max(wait, async::Duration(0)), context.deadline.at);
  }

  // The parts in the order in which this request looks at them.
  std::vector<Part> parts_in_turn(const rpc::RequestContext& context, const FetchLogRequest& request) {
    std::vector<Part> parts;
    for (size_t t = 0; t < request.tables.size(); ++t) {
      const auto& table = request.tables[t];
      auto projection = std::make_shared<const std::vector<int32_t>>(table.projected_fields);
      for (size_t b = 0; b < table.buckets.size(); ++b) {
        const auto& bucket = table.buckets[b];
        parts.push_back({t,
                         b,
                         {table.table, bucket.partition, bucket.bucket},
                         bucket.fetch_offset,
                         static_cast<size_t>(std::max(0, bucket.max_fetch_bytes)),
                         table.projection_enabled,
                         projection});
      }
    }
    if (parts.size() > 1)
      std::ranges::rotate(parts, parts.begin() + static_cast<ptrdiff_t>(turn(context) % parts.size()));
    return parts;
  }

  // Counts the fetches of a connection. Connections come and go: the oldest counts are forgotten, which only
  // moves where a rotation begins.
  size_t turn(const rpc::RequestContext& context) {
    constexpr size_t kMaxCounts = 8192;
    if (turns_.size() >= kMaxCounts) turns_.clear();
    return turns_[context.connection->id.value]++;
  }

  Task<std::vector<PartAnswer>> read_all(const rpc::RequestContext& context, const FetchLogRequest& request) {
    const size_t max_bytes = static_cast<size_t>(std::max(0, request.max_bytes));
    std::vector<Part> parts = parts_in_turn(context, request);
    std::vector<size_t> order;  // position of each part in this request's turn, by shard
    std::map<size_t, std::vector<Part>> shards;
    for (Part& part : parts) {
      const size_t owner = services_.owner(part.key);
      order.push_back(owner);
      shards[owner].push_back(std::move(part));
    }
    std::map<size_t, async::Started<ShardAnswers>> started;
    for (auto& [shard, list] : shards) {
      started.emplace(shard, async::start(services_.loop(), read_on(shard, std::move(list), max_bytes)));
    }
    std::map<size_t, ShardAnswers> done;
    for (auto& [shard, task] : started) done[shard] = co_await task.join();
    co_return limit(order, std::move(done), max_bytes);
  }

  Task<ShardAnswers> read_on(size_t shard, std::vector<Part> parts, size_t max_bytes) {
    co_return co_await services_.tablet(
        shard,
        [parts = std::move(parts), max_bytes](TabletShard& tablet) mutable {
          return read_parts(tablet, std::move(parts), max_bytes);
        },
        std::nullopt);
  }

  // The answers in turn; records beyond the limit of the whole answer stay for the next fetch.
  static std::vector<PartAnswer> limit(const std::vector<size_t>& order, std::map<size_t, ShardAnswers> done,
                                       size_t max_bytes) {
    std::map<size_t, size_t> next;
    std::vector<PartAnswer> answers;
    size_t bytes = 0;
    for (size_t shard : order) {
      if (!done.at(shard)) continue;
      PartAnswer part = std::move((*done.at(shard))[next[shard]++]);
      const size_t size = bytes_of(part);
      if (bytes > 0 && bytes + size > max_bytes) {
        part.answer.records.emplace();
      } else {
        bytes += size;
      }
      answers.push_back(std::move(part));
    }
    return answers;
  }

  Task<bool> wait_on_shard(size_t shard, replica::FetchWaitId id,
                           std::vector<replica::FetchPosition> positions, async::Instant until,
                           async::WaitList& ended) {
    bool news = co_await services_.tablet(
        shard,
        [id, positions = std::move(positions), until](TabletShard& tablet) mutable {
          return wait_on(tablet, id, std::move(positions), until);
        },
        false);
    ended.notify_all();
    co_return news;
  }

  // Waits on every shard that has one of the buckets, until the first has news. False: none had.
  Task<bool> wait_for_data(const rpc::RequestContext& context, const std::vector<PartAnswer>& answers,
                           async::Instant until) {
    std::map<size_t, std::vector<replica::FetchPosition>> shards;
    for (const PartAnswer& part : answers) {
      if (part.answer.error) continue;
      // With data at hand that is less than asked for, only more data counts.
      const model::Offset seen = std::max(part.next, part.answer.high_watermark.value_or(part.next));
      shards[services_.owner(part.part.key)].push_back({part.part.key, seen});
    }
    const replica::FetchWaitId id = ++next_wait_;
    async::WaitList ended(services_.loop());
    std::vector<size_t> waiting;
    std::vector<async::Started<bool>> started;
    for (auto& [shard, positions] : shards) {
      waiting.push_back(shard);
      started.push_back(
          async::start(services_.loop(), wait_on_shard(shard, id, std::move(positions), until, ended)));
    }
    auto none_done = [&] {
      return std::ranges::none_of(started, [](const auto& one) { return one.done(); });
    };
    while (none_done()) {
      if (co_await ended.wait(context.deadline) != async::WaitResult::kReady) break;
    }
    for (size_t i = 0; i < started.size(); ++i) {
      if (!started[i].done()) co_await cancel(waiting[i], id);
    }
    bool news = false;
    for (auto& one : started) {
      if (co_await one.join()) news = true;
    }
    co_return news;
  }

  Task<void> cancel(size_t shard, replica::FetchWaitId id) {
    co_await services_.tablet(
        shard,
        [id](TabletShard& tablet) {
          tablet.waits.cancel(id);
          return true;
        },
        false);
  }

  static size_t bucket_count(const FetchLogRequest& request) {
    size_t count = 0;
    for (const auto& table : request.tables) count += table.buckets.size();
    return count;
  }

  static FetchLogResponse assemble(const FetchLogRequest& request, std::vector<PartAnswer> answers) {
    FetchLogResponse response;
    for (const auto& table : request.tables) {
      response.tables.push_back({table.table, std::vector<FetchLogResponse::Bucket>(table.buckets.size())});
    }
    const bool all_answered = answers.size() == bucket_count(request);
    for (size_t t = 0; !all_answered && t < request.tables.size(); ++t) {
      for (size_t b = 0; b < request.tables[t].buckets.size(); ++b) {
        const auto& asked = request.tables[t].buckets[b];
        response.tables[t].buckets[b] = {
            .partition = asked.partition, .bucket = asked.bucket, .error = Services::stopping()};
      }
    }
    for (PartAnswer& part : answers)
      response.tables[part.part.table].buckets[part.part.bucket] = std::move(part.answer);
    return response;
  }

  Services& services_;
  replica::FetchWaitId next_wait_;
  std::unordered_map<int64_t, size_t> turns_;
};

void serve_fetch_log(rpc::Dispatcher& dispatcher, Services& services) {
  auto handler = std::make_shared<FetchLogHandler>(services);
  rpc::serve_as<FetchLogRequest, FetchLogResponse>(
      dispatcher, rpc::ApiKey::kFetchLog, [handler](rpc::RequestContext context, FetchLogRequest request) {
        return handler->fetch(std::move(context), std::move(request));
      });
}

}  // namespace strom::server
