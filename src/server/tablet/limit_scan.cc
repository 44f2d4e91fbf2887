// LIMIT_SCAN: the last records of a bucket of a log table, for bounded reads with a limit. Errors are in the
// answer's body.
#include "rpc/proto/scan.pb.h"
#include "rpc/typed.h"
#include "server/handlers.h"

namespace strom::server {

using async::Task;

namespace {

Task<Result<rpc::Payload>> last_records(TabletShard& shard, model::TableBucket bucket, int64_t limit) {
  auto replica = STROM_CO_TRY(shard.replicas.find(bucket));
  co_return co_await replica->last_records(limit);
}

Task<Result<proto::LimitScanResponse>> limit_scan(Services& services, proto::LimitScanRequest request) {
  model::TableBucket bucket{model::TableId(request.table_id()), std::nullopt,
                            model::BucketId(request.bucket_id())};
  if (request.has_partition_id()) bucket.partition = model::PartitionId(request.partition_id());
  const int64_t limit = request.limit();
  auto records = co_await services.tablet(
      services.owner(bucket),
      [bucket, limit](TabletShard& shard) { return last_records(shard, bucket, limit); }, Services::stopping);
  proto::LimitScanResponse response;
  if (!records.ok()) {
    response.set_error_code(static_cast<int32_t>(records.code()));
    response.set_error_message(records.error().message);
    co_return response;
  }
  response.set_is_log_table(true);
  std::string bytes;
  bytes.reserve(records->size());
  for (const Slice& part : records->parts()) bytes.append(as_text(part.view()));
  response.set_records(std::move(bytes));
  co_return response;
}

}  // namespace

void serve_limit_scan(rpc::Dispatcher& dispatcher, Services& services) {
  rpc::serve<rpc::ApiKey::kLimitScan>(dispatcher,
                                      [&services](rpc::RequestContext, proto::LimitScanRequest request) {
                                        return limit_scan(services, std::move(request));
                                      });
}

}  // namespace strom::server
