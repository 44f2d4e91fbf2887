// UPDATE_METADATA: news of the cluster for this server's metadata caches, one on each shard.
#include "async/join.h"
#include "rpc/proto/metadata.pb.h"
#include "rpc/typed.h"
#include "server/convert/metadata.h"
#include "server/handlers.h"

namespace strom::server {

using async::Task;

namespace {

Status apply_news(TabletShard& shard, const MetadataNews& news) {
  shard.metadata.apply(news);
  for (const auto& table : news.tables) shard.replicas.update_table(table);
  return {};
}

Task<Status> apply_on(Services& services, size_t shard, std::shared_ptr<const MetadataNews> news) {
  co_return co_await services.tablet(
      shard, [news](TabletShard& tablet) { return apply_news(tablet, *news); }, Services::stopping);
}

Task<Result<proto::UpdateMetadataResponse>> update_metadata(Services& services,
                                                            proto::UpdateMetadataRequest request) {
  STROM_CO_TRY(co_await services.fence(model::CoordinatorEpoch(request.coordinator_epoch())));
  auto news = std::make_shared<const MetadataNews>(STROM_CO_TRY(metadata_news(request)));
  std::vector<Task<Status>> tasks;
  for (size_t shard = 0; shard < services.tablet_shards(); ++shard)
    tasks.push_back(apply_on(services, shard, news));
  for (Status& applied : co_await async::when_all(services.loop(), std::move(tasks)))
    STROM_CO_TRY(std::move(applied));
  co_return proto::UpdateMetadataResponse();
}

}  // namespace

void serve_update_metadata(rpc::Dispatcher& dispatcher, Services& services) {
  rpc::serve<rpc::ApiKey::kUpdateMetadata>(
      dispatcher, [&services](rpc::RequestContext, proto::UpdateMetadataRequest request) {
        return update_metadata(services, std::move(request));
      });
}

}  // namespace strom::server
