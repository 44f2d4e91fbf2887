// INIT_WRITER: an id for an idempotent writer, unique in the cluster and never given twice. Ids are taken
// from the metadata store's counter in ranges; what is left of a range at a restart is skipped.
#include "model/node_paths.h"
#include "model/server_registration.h"
#include "rpc/proto/log.pb.h"
#include "rpc/typed.h"
#include "server/handlers.h"

namespace strom::server {

using async::Task;
using metastore::Operation;

namespace {

constexpr int64_t kRange = 1000;
constexpr int kMaxAttempts = 10;

// The start of a range that nobody else has.
Task<Result<int64_t>> reserve_range(metastore::Metastore& store) {
  const std::string path(model::node_paths::kWriterIdCounter);
  for (int attempt = 0; attempt < kMaxAttempts; ++attempt) {
    auto node = STROM_CO_TRY(co_await store.get(path));
    const int64_t start = node ? STROM_CO_TRY(model::decode_counter(node->data)) : 0;
    Buffer next = model::encode_counter(start + kRange);
    std::vector<Operation> writes;
    writes.push_back(node ? Operation::set(path, std::move(next), node->version)
                          : Operation::create(path, std::move(next)));
    auto outcome = STROM_CO_TRY(co_await store.commit(std::move(writes)));
    if (outcome.committed()) co_return start;
  }
  co_return make_error(ErrorCode::kRequestTimeOut, "no writer id could be reserved in {} attempts; try again",
                       kMaxAttempts);
}

}  // namespace

// One shard's range.
class WriterIds {
 public:
  explicit WriterIds(Services& services) : services_(services), refilled_(services.loop()) {}

  Task<Result<proto::InitWriterResponse>> next(rpc::RequestContext context) {
    while (next_ == end_) {
      if (refilling_) {
        if (co_await refilled_.wait(context.deadline) == async::WaitResult::kReady) continue;
        co_return make_error(ErrorCode::kRequestTimeOut, "no writer id could be reserved in time; try again");
      }
      refilling_ = true;
      auto start = co_await services_.home([](Home& home) { return reserve_range(home.metastore); });
      refilling_ = false;
      refilled_.notify_all();
      if (!start.ok()) co_return std::move(start).error();
      next_ = *start;
      end_ = *start + kRange;
    }
    proto::InitWriterResponse response;
    response.set_writer_id(next_++);
    co_return response;
  }

 private:
  Services& services_;
  int64_t next_ = 0;
  int64_t end_ = 0;
  bool refilling_ = false;
  async::WaitList refilled_;
};

void serve_init_writer(rpc::Dispatcher& dispatcher, Services& services) {
  auto ids = std::make_shared<WriterIds>(services);
  rpc::serve<rpc::ApiKey::kInitWriter>(
      dispatcher,
      [ids](rpc::RequestContext context, proto::InitWriterRequest) { return ids->next(std::move(context)); });
}

}  // namespace strom::server
