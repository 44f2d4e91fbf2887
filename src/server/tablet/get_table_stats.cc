// GET_TABLE_STATS: the number of rows of buckets. In a log table that is what lies between its start and its
// watermark.
#include "rpc/proto/scan.pb.h"
#include "rpc/typed.h"
#include "server/handlers.h"

namespace strom::server {

using async::Task;

namespace {

Result<int64_t> row_count(TabletShard& shard, const model::TableBucket& bucket) {
  auto replica = STROM_TRY(shard.replicas.find(bucket));
  if (!replica->is_leader()) {
    return make_error(ErrorCode::kNotLeaderOrFollower,
                      "this server does not lead bucket {}; ask for its metadata again", bucket);
  }
  return replica->high_watermark() - replica->log().start_offset();
}

Task<Result<proto::GetTableStatsResponse>> get_table_stats(Services& services,
                                                           proto::GetTableStatsRequest request) {
  proto::GetTableStatsResponse response;
  for (const auto& asked : request.buckets_req()) {
    model::TableBucket bucket{model::TableId(request.table_id()), std::nullopt,
                              model::BucketId(asked.bucket_id())};
    if (asked.has_partition_id()) bucket.partition = model::PartitionId(asked.partition_id());
    auto rows = co_await services.tablet(
        services.owner(bucket), [bucket](TabletShard& shard) { return row_count(shard, bucket); },
        Services::stopping);
    auto* answer = response.add_buckets_resp();
    answer->set_bucket_id(asked.bucket_id());
    if (asked.has_partition_id()) answer->set_partition_id(asked.partition_id());
    if (rows.ok()) {
      answer->set_row_count(*rows);
    } else {
      answer->set_error_code(static_cast<int32_t>(rows.code()));
      answer->set_error_message(rows.error().message);
    }
  }
  co_return response;
}

}  // namespace

void serve_get_table_stats(rpc::Dispatcher& dispatcher, Services& services) {
  rpc::serve<rpc::ApiKey::kGetTableStats>(
      dispatcher, [&services](rpc::RequestContext, proto::GetTableStatsRequest request) {
        return get_table_stats(services, std::move(request));
      });
}

}  // namespace strom::server
