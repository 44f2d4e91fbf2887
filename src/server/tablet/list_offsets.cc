// LIST_OFFSETS: earliest, latest, or by commit timestamp, for buckets of one table or partition.
#include "async/join.h"
#include "rpc/proto/log.pb.h"
#include "rpc/typed.h"
#include "server/handlers.h"

namespace strom::server {

using async::Task;
using model::Offset;

namespace {

enum OffsetType : int32_t { kEarliest = 0, kLatest = 1, kByTimestamp = 2, kLeaderStart = 3 };

struct Question {
  model::TableBucket bucket;
  int32_t type = kEarliest;
  bool follower = false;  // asked by another server: the log's end instead of the watermark
  std::optional<model::Timestamp> timestamp;
  model::Timestamp now;
};

Task<Result<Offset>> find_offset(TabletShard& shard, Question question) {
  auto replica = STROM_CO_TRY(shard.replicas.find(question.bucket));
  if (!replica->is_leader()) {
    co_return make_error(ErrorCode::kNotLeaderOrFollower,
                         "this server does not lead bucket {}; ask for its metadata again", question.bucket);
  }
  switch (question.type) {
    case kEarliest:
      co_return replica->log().start_offset();
    case kLatest:
      co_return question.follower ? replica->log().end_offset() : replica->high_watermark();
    case kByTimestamp:
      if (!question.timestamp) {
        co_return make_error(ErrorCode::kUnknownServerError,
                             "offsets by timestamp need startTimestamp, which is missing");
      }
      co_return co_await replica->offset_at(*question.timestamp, question.now);
    case kLeaderStart:
      co_return replica->leader_start();
    default:
      co_return make_error(ErrorCode::kUnknownServerError,
                           "offset type {} is unknown, expected 0 (earliest), 1 (latest), 2 (timestamp) or 3",
                           question.type);
  }
}

Task<Result<Offset>> ask(Services& services, Question question) {
  co_return co_await services.tablet(
      services.owner(question.bucket),
      [question](TabletShard& shard) { return find_offset(shard, question); }, Services::stopping);
}

Task<Result<proto::ListOffsetsResponse>> list_offsets(Services& services, proto::ListOffsetsRequest request) {
  std::vector<Task<Result<Offset>>> tasks;
  for (int32_t bucket : request.bucket_id()) {
    Question question{.bucket = {model::TableId(request.table_id()), std::nullopt, model::BucketId(bucket)},
                      .type = request.offset_type(),
                      .follower = request.follower_server_id() >= 0,
                      .timestamp = std::nullopt,
                      .now = services.now()};
    if (request.has_partition_id()) question.bucket.partition = model::PartitionId(request.partition_id());
    if (request.has_starttimestamp()) question.timestamp = model::Timestamp(request.starttimestamp());
    tasks.push_back(ask(services, std::move(question)));
  }
  auto offsets = co_await async::when_all(services.loop(), std::move(tasks));
  proto::ListOffsetsResponse response;
  for (int i = 0; i < request.bucket_id_size(); ++i) {
    auto* answer = response.add_buckets_resp();
    answer->set_bucket_id(request.bucket_id(i));
    const auto& offset = offsets[static_cast<size_t>(i)];
    if (offset.ok()) {
      answer->set_offset(offset->value);
    } else {
      answer->set_error_code(static_cast<int32_t>(offset.code()));
      answer->set_error_message(offset.error().message);
    }
  }
  co_return response;
}

}  // namespace

void serve_list_offsets(rpc::Dispatcher& dispatcher, Services& services) {
  rpc::serve<rpc::ApiKey::kListOffsets>(dispatcher,
                                        [&services](rpc::RequestContext, proto::ListOffsetsRequest request) {
                                          return list_offsets(services, std::move(request));
                                        });
}

}  // namespace strom::server
