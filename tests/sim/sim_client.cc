#include "tests/sim/sim_client.h"

#include "model/table_descriptor.h"
#include "model/table_options.h"
#include "rpc/proto/database.pb.h"
#include "rpc/proto/log.pb.h"
#include "rpc/proto/metadata.pb.h"
#include "rpc/proto/partition.pb.h"
#include "rpc/proto/table.pb.h"

namespace strom::sim {

using async::Task;
using rpc::ApiKey;

namespace {

constexpr int kServerPort = 9123;

template <class T>
Status status_of(const Result<T>& result) {
  if (result.ok()) return {};
  return result.error();
}

void set_path(proto::PbTablePath* to, const model::TablePath& from) {
  to->set_database_name(from.database);
  to->set_table_name(from.table);
}

void set_partition(proto::PbPartitionSpec* to, const std::string& value) {
  auto* entry = to->add_partition_key_values();
  entry->set_key("p");
  entry->set_value(value);
}

std::string descriptor_of(int32_t buckets, bool partitioned) {
  model::SchemaBuilder schema;
  schema.column("a", model::DataType::string());
  if (partitioned) schema.column("p", model::DataType::string());
  model::TableDescriptor table{.schema = schema.build().value(),
                               .distribution = model::Distribution{buckets}};
  if (partitioned) table.partition_keys = {"p"};
  table.properties.set(model::kLogFormatKey, "INDEXED");
  return table.to_json();
}

Task<void> close_channel(std::shared_ptr<rpc::TcpChannel> channel) { co_await channel->close(); }

template <class Buckets>
void add_states(model::TableId table, std::optional<model::PartitionId> partition, const Buckets& from,
                std::vector<BucketState>& to) {
  for (const proto::PbBucketMetadata& bucket : from) {
    to.push_back({{table, partition, model::BucketId(bucket.bucket_id())},
                  bucket.has_leader_id() ? bucket.leader_id() : -1,
                  bucket.has_leader_epoch() ? bucket.leader_epoch() : -1});
  }
}

}  // namespace

SimClient::SimClient(async::SimWorld& world, const std::string& name)
    : world_(world), name_(name), runtime_(world.add_machine(name).boot()), connected_(runtime_->loop(0)) {}

SimClient::~SimClient() { STROM_CHECK(channel_ == nullptr, "{} was not closed", name_); }

Task<Result<SimClient::Channel>> SimClient::channel() {
  const async::Deadline until = deadline();
  while (connecting_) {
    if (co_await connected_.wait(until) != async::WaitResult::kReady) {
      co_return make_error(ErrorCode::kNetwork, "{} waited too long for its connection", name_);
    }
  }
  if (channel_ != nullptr && channel_->connected()) co_return channel_;
  connecting_ = true;
  if (channel_ != nullptr) co_await close_channel(std::exchange(channel_, nullptr));
  auto made =
      co_await rpc::TcpChannel::connect(runtime_->network(), loop(), {kServer, kServerPort}, {}, until);
  if (made.ok()) channel_ = std::move(*made);
  connecting_ = false;
  connected_.notify_all();
  if (!made.ok()) co_return std::move(made).error();
  co_return channel_;
}

template <ApiKey kKey>
Task<Result<typename rpc::ApiMessages<kKey>::Response>> SimClient::call(
    typename rpc::ApiMessages<kKey>::Request request) {
  Channel to = STROM_CO_TRY(co_await channel());
  co_return co_await rpc::call<kKey>(*to, std::move(request), deadline());
}

Task<Status> SimClient::connect() { co_return status_of(co_await channel()); }

Task<Status> SimClient::create_database(std::string name) {
  proto::CreateDatabaseRequest request;
  request.set_database_name(name);
  request.set_ignore_if_exists(true);
  co_return status_of(co_await call<ApiKey::kCreateDatabase>(std::move(request)));
}

Task<Status> SimClient::create_table(model::TablePath path, int32_t buckets, bool partitioned) {
  proto::CreateTableRequest request;
  set_path(request.mutable_table_path(), path);
  request.set_table_json(descriptor_of(buckets, partitioned));
  request.set_ignore_if_exists(true);
  co_return status_of(co_await call<ApiKey::kCreateTable>(std::move(request)));
}

Task<Status> SimClient::drop_table(model::TablePath path) {
  proto::DropTableRequest request;
  set_path(request.mutable_table_path(), path);
  request.set_ignore_if_not_exists(true);
  co_return status_of(co_await call<ApiKey::kDropTable>(std::move(request)));
}

Task<Status> SimClient::create_partition(model::TablePath path, std::string value) {
  proto::CreatePartitionRequest request;
  set_path(request.mutable_table_path(), path);
  set_partition(request.mutable_partition_spec(), value);
  request.set_ignore_if_not_exists(true);
  co_return status_of(co_await call<ApiKey::kCreatePartition>(std::move(request)));
}

Task<Status> SimClient::drop_partition(model::TablePath path, std::string value) {
  proto::DropPartitionRequest request;
  set_path(request.mutable_table_path(), path);
  set_partition(request.mutable_partition_spec(), value);
  request.set_ignore_if_not_exists(true);
  co_return status_of(co_await call<ApiKey::kDropPartition>(std::move(request)));
}

Task<Result<bool>> SimClient::table_exists(model::TablePath path) {
  proto::TableExistsRequest request;
  set_path(request.mutable_table_path(), path);
  auto response = STROM_CO_TRY(co_await call<ApiKey::kTableExists>(std::move(request)));
  co_return response.exists();
}

Task<Result<model::TableId>> SimClient::table_id(model::TablePath path) {
  proto::GetTableInfoRequest request;
  set_path(request.mutable_table_path(), path);
  auto response = STROM_CO_TRY(co_await call<ApiKey::kGetTableInfo>(std::move(request)));
  co_return model::TableId(response.table_id());
}

Task<Result<std::vector<std::string>>> SimClient::partitions(model::TablePath path) {
  proto::ListPartitionInfosRequest request;
  set_path(request.mutable_table_path(), path);
  auto response = STROM_CO_TRY(co_await call<ApiKey::kListPartitionInfos>(std::move(request)));
  std::vector<std::string> values;
  for (const auto& info : response.partitions_info()) {
    values.push_back(info.partition_spec().partition_key_values(0).value());
  }
  co_return values;
}

Task<Result<std::vector<BucketState>>> SimClient::buckets(model::PhysicalTablePath path) {
  proto::MetadataRequest request;
  if (path.partition) {
    auto* partition = request.add_partitions_path();
    partition->set_database_name(path.path.database);
    partition->set_table_name(path.path.table);
    partition->set_partition_name(*path.partition);
  } else {
    set_path(request.add_table_path(), path.path);
  }
  auto response = STROM_CO_TRY(co_await call<ApiKey::kGetMetadata>(std::move(request)));
  std::vector<BucketState> states;
  if (path.partition) {
    for (const auto& partition : response.partition_metadata()) {
      add_states(model::TableId(partition.table_id()), model::PartitionId(partition.partition_id()),
                 partition.bucket_metadata(), states);
    }
  } else {
    for (const auto& table : response.table_metadata()) {
      add_states(model::TableId(table.table_id()), std::nullopt, table.bucket_metadata(), states);
    }
  }
  co_return states;
}

Task<Result<model::WriterId>> SimClient::init_writer() {
  auto response = STROM_CO_TRY(co_await call<ApiKey::kInitWriter>(proto::InitWriterRequest()));
  co_return model::WriterId(response.writer_id());
}

Task<Result<rpc::ProduceLogResponse>> SimClient::produce(rpc::ProduceLogRequest request) {
  Channel to = STROM_CO_TRY(co_await channel());
  co_return co_await rpc::call_as<rpc::ProduceLogResponse>(*to, ApiKey::kProduceLog, std::move(request),
                                                           deadline());
}

Task<Result<rpc::FetchLogResponse>> SimClient::fetch(rpc::FetchLogRequest request) {
  Channel to = STROM_CO_TRY(co_await channel());
  co_return co_await rpc::call_as<rpc::FetchLogResponse>(*to, ApiKey::kFetchLog, std::move(request),
                                                         deadline());
}

Task<Result<model::Offset>> SimClient::latest_offset(model::TableBucket bucket) {
  proto::ListOffsetsRequest request;
  request.set_follower_server_id(-1);
  request.set_offset_type(1);
  request.set_table_id(bucket.table.value);
  if (bucket.partition) request.set_partition_id(bucket.partition->value);
  request.add_bucket_id(bucket.bucket.value);
  auto response = STROM_CO_TRY(co_await call<ApiKey::kListOffsets>(std::move(request)));
  const auto& answer = response.buckets_resp(0);
  if (answer.has_error_code()) co_return Error{ErrorCode(answer.error_code()), answer.error_message()};
  co_return model::Offset(answer.offset());
}

Task<void> SimClient::close() {
  while (connecting_) co_await connected_.wait(deadline());
  if (channel_ != nullptr) co_await close_channel(std::exchange(channel_, nullptr));
}

}  // namespace strom::sim
