#include "replica/replica_testing.h"

#include "format/arrow/writer.h"
#include "format/log_batch_builder.h"

namespace strom::replica::testing {

namespace {

model::Schema two_columns() {
  return model::SchemaBuilder()
      .column("a", model::DataType::integer())
      .column("b", model::DataType::string())
      .build()
      .value();
}

std::shared_ptr<const model::TableInfo> make_table(int64_t id, const std::string& name,
                                                   const std::string& format) {
  model::TableRegistration registration{.table_id = model::TableId(id),
                                        .properties = {{std::string(model::kLogFormatKey), format}}};
  return std::make_shared<const model::TableInfo>(
      model::make_table_info({"db", name}, registration, {model::SchemaId(1), two_columns()}).value());
}

async::Task<bool> close_all(ReplicaSet& set) {
  co_await set.close();
  co_return true;
}

}  // namespace

async::Task<Result<std::shared_ptr<const model::TableInfo>>> MapTables::table(model::TablePath path,
                                                                              model::TableId id) {
  co_await async::sleep_until(loop_, async::Deadline::after(loop_, std::chrono::milliseconds(1)));
  auto found = tables.find(id);
  if (found != tables.end()) co_return found->second;
  co_return make_error(ErrorCode::kTableNotExist, "table {} does not exist", path);
}

async::Task<Result<std::shared_ptr<const model::Schema>>> MapTables::schema(model::TablePath path,
                                                                            model::SchemaId id) {
  co_await async::sleep_until(loop_, async::Deadline::after(loop_, std::chrono::milliseconds(1)));
  if (id == model::SchemaId(1)) co_return std::make_shared<const model::Schema>(two_columns());
  co_return make_error(ErrorCode::kSchemaNotExist, "table {} has no schema {}", path, id);
}

ReplicaSite::ReplicaSite(size_t in_sync, uint64_t seed) : site(seed), min_in_sync(in_sync) { open(); }

ReplicaSite::~ReplicaSite() { close(); }

void ReplicaSite::open() {
  tables = std::make_unique<MapTables>(site.loop());
  tables->tables[model::TableId(7)] = make_table(7, "t", "ARROW");
  tables->tables[model::TableId(8)] = make_table(8, "rows", "INDEXED");
  set = std::make_unique<ReplicaSet>(
      site.loop(), *site.directory, *tables,
      [this](const TableBucket& bucket) { return known.contains(bucket); },
      ReplicaSet::Config{ServerId(0), min_in_sync, site.config});
}

void ReplicaSite::close() {
  site.run(close_all(*set));
  set.reset();
  tables.reset();
}

void ReplicaSite::restart() {
  close();
  site.stop(true);
  site.boot();
  open();
}

void ReplicaSite::crash(async::Crash kind) {
  site.machine.crash(kind);
  close();
  site.stop(false);
  site.boot();
  open();
}

Leadership ReplicaSite::order(TableBucket bucket, int32_t epoch, std::vector<int32_t> isr, int32_t leader,
                              int32_t bucket_epoch) {
  Leadership order{.path = {{"db", bucket.table == model::TableId(8) ? "rows" : "t"}, std::nullopt},
                   .bucket = bucket};
  for (int32_t server : isr) order.replicas.push_back(ServerId(server));
  order.state = {.leader = ServerId(leader), .leader_epoch = LeaderEpoch(epoch), .isr = order.replicas};
  order.state.bucket_epoch = BucketEpoch(bucket_epoch < 0 ? epoch : bucket_epoch);
  return order;
}

ErrorCode ReplicaSite::lead(Leadership order) {
  std::vector<Leadership> orders;
  orders.push_back(std::move(order));
  const BucketErrors errors = site.run(set->lead_or_follow(std::move(orders)));
  return errors.empty() ? ErrorCode::kNone : errors.front().second.code;
}

std::shared_ptr<Replica> ReplicaSite::leader(TableBucket bucket, int32_t epoch) {
  STROM_CHECK(lead(order(bucket, epoch)) == ErrorCode::kNone, "the replica does not lead");
  return find(bucket);
}

Result<Offset> ReplicaSite::append(Replica& replica, int32_t records, Acks acks) {
  auto answer =
      site.run(replica.append(log::testing::batch({.records = records}), acks, in(std::chrono::seconds(1))));
  if (!answer.ok()) return answer.error();
  return answer->base_offset;
}

std::string ReplicaSite::batches(const rpc::Payload& records) {
  std::string text;
  for (const auto& header : log::testing::headers_of(records.flatten())) {
    text += fmt::format("{}{}+{}", text.empty() ? "" : " ", header.base_offset, header.record_count);
  }
  return text;
}

Buffer arrow_batch(int32_t first, int32_t records) {
  format::arrow::ArrowWriter rows(two_columns().row_type());
  for (int32_t i = 0; i < records; ++i) rows.add({{format::Value(first + i), format::Value("x")}}).value();
  format::LogBatchBuilder batch({});
  batch.set_arrow({}, rows.finish(), records);
  return std::move(batch).finish();
}

}  // namespace strom::replica::testing
