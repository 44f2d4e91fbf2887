// What clients see of databases, tables, partitions and metadata: requests to a whole server on a simulated
// machine.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "async/runtime_testing.h"
#include "metastore/simulated.h"
#include "rpc/messages/fetch_log.h"
#include "rpc/proto/database.pb.h"
#include "rpc/proto/metadata.pb.h"
#include "rpc/proto/partition.pb.h"
#include "rpc/proto/remote_log.pb.h"
#include "rpc/proto/table.pb.h"
#include "rpc/tcp_channel.h"
#include "rpc/typed.h"
#include "server/convert/names.h"
#include "server/server.h"

namespace strom::server {
namespace {

using async::Task;
using rpc::ApiKey;
using testing::ElementsAre;
using testing::IsEmpty;

class Apis : public testing::Test {
 protected:
  void SetUp() override {
    const std::vector<OptionSetting> settings{{"bind.listeners", "FLUSS://host:0, CLIENT://host:0", "test"},
                                              {"internal.listener.name", "FLUSS", "test"},
                                              {"data.dir", test_->directory() + "/strom", "test"}};
    auto options = Options::from_settings(settings);
    ASSERT_TRUE(options.ok()) << options.error().message;
    options_ = std::move(*options);
    run([this] { return start(); });
    ASSERT_NE(channel_, nullptr);
    send<ApiKey::kCreateDatabase>(database("db"));
  }
  void TearDown() override {
    run([this] { return stop(); });
  }

  Task<void> start() {
    auto& sim = static_cast<async::SimRuntime&>(test_->runtime());
    store_ = std::make_unique<metastore::SimMetastoreService>(sim.world());
    auto server = co_await Server::start(
        test_->runtime(), options_, metrics_,
        [this](async::Runtime&, async::EventLoop& loop, std::string) { return open(loop); });
    EXPECT_TRUE(server.ok()) << server.error().message;
    if (!server.ok()) co_return;
    server_ = std::move(*server);
    // The second listener: its addresses are what answers must have.
    const model::Endpoint& endpoint = server_->endpoints()[1];
    auto channel = co_await rpc::TcpChannel::connect(test_->runtime().network(), loop(),
                                                     {endpoint.host, endpoint.port}, {}, async::Deadline{});
    EXPECT_TRUE(channel.ok()) << channel.error().message;
    if (channel.ok()) channel_ = std::move(*channel);
  }
  Task<void> stop() {
    if (channel_) co_await channel_->close();
    if (server_) EXPECT_TRUE((co_await server_->stop()).ok());
    channel_.reset();
    server_.reset();
  }
  Task<Result<std::unique_ptr<metastore::Metastore>>> open(async::EventLoop& loop) {
    co_return store_->connect(loop);
  }
  async::EventLoop& loop() { return test_->runtime().loop(0); }
  template <class F>
  void run(F work) {
    test_->run(work);
  }

  template <ApiKey kKey>
  using Answer = Result<typename rpc::ApiMessages<kKey>::Response>;
  template <ApiKey kKey>
  Task<void> exchange(typename rpc::ApiMessages<kKey>::Request request, std::optional<Answer<kKey>>& answer) {
    answer = co_await rpc::call<kKey>(*channel_, std::move(request), async::Deadline{});
  }
  // The answer, whatever it is.
  template <ApiKey kKey>
  Answer<kKey> ask(typename rpc::ApiMessages<kKey>::Request request) {
    std::optional<Answer<kKey>> answer;
    run([&] { return exchange<kKey>(request, answer); });
    return std::move(*answer);
  }
  // The answer of a request that succeeds.
  template <ApiKey kKey>
  typename rpc::ApiMessages<kKey>::Response send(typename rpc::ApiMessages<kKey>::Request request) {
    auto answer = ask<kKey>(std::move(request));
    EXPECT_TRUE(answer.ok()) << answer.error().message;
    return answer.ok() ? *answer : typename rpc::ApiMessages<kKey>::Response();
  }

  Task<void> fetch(rpc::FetchLogRequest request, std::optional<Result<rpc::FetchLogResponse>>& answer) {
    answer = co_await rpc::call_as<rpc::FetchLogResponse>(*channel_, ApiKey::kFetchLog, std::move(request),
                                                          async::Deadline{});
  }

  static proto::CreateDatabaseRequest database(const std::string& name) {
    proto::CreateDatabaseRequest request;
    request.set_database_name(name);
    request.set_ignore_if_exists(false);
    return request;
  }
  static proto::CreateTableRequest table(const std::string& name,
                                         std::vector<std::string> partition_keys = {}) {
    auto schema = model::SchemaBuilder()
                      .column("id", model::DataType::integer())
                      .column("day", model::DataType::string())
                      .build();
    model::TableDescriptor descriptor{.schema = schema.value(),
                                      .partition_keys = std::move(partition_keys),
                                      .distribution = model::Distribution{3, {}}};
    proto::CreateTableRequest request;
    write(model::TablePath{"db", name}, *request.mutable_table_path());
    request.set_table_json(descriptor.to_json());
    request.set_ignore_if_exists(false);
    return request;
  }
  static proto::CreatePartitionRequest partition(const std::string& table, const std::string& day) {
    proto::CreatePartitionRequest request;
    write(model::TablePath{"db", table}, *request.mutable_table_path());
    write(model::PartitionSpec{{{"day", day}}}, *request.mutable_partition_spec());
    request.set_ignore_if_not_exists(false);
    return request;
  }
  static proto::AlterTableRequest alteration(const std::string& table) {
    proto::AlterTableRequest request;
    write(model::TablePath{"db", table}, *request.mutable_table_path());
    request.set_ignore_if_not_exists(false);
    return request;
  }
  static void add_column(proto::AlterTableRequest& request, const std::string& name, int32_t position = 0) {
    auto& column = *request.add_add_columns();
    column.set_column_name(name);
    column.set_data_type_json(model::DataType::integer().to_json());
    column.set_column_position_type(position);
  }
  static proto::PbAlterConfig option(const std::string& key, const std::string& value,
                                     int32_t operation = 0) {
    proto::PbAlterConfig change;
    change.set_config_key(key);
    change.set_config_value(value);
    change.set_op_type(operation);
    return change;
  }
  template <class Request>
  static Request of_table(const std::string& name) {
    Request request;
    write(model::TablePath{"db", name}, *request.mutable_table_path());
    return request;
  }
  static proto::MetadataRequest metadata_of(const std::string& table) {
    proto::MetadataRequest request;
    write(model::TablePath{"db", table}, *request.add_table_path());
    return request;
  }

  std::unique_ptr<async::TestRuntime> test_ = async::make_test_runtime("simulated", 1);
  std::unique_ptr<metastore::SimMetastoreService> store_;
  Options options_;
  MetricRegistry metrics_;
  std::unique_ptr<Server> server_;
  std::unique_ptr<rpc::TcpChannel> channel_;
};

// Lists have names, or summaries instead of names.
TEST_F(Apis, DatabasesAreListed) {
  send<ApiKey::kCreateTable>(table("t"));
  proto::ListDatabasesRequest request;
  EXPECT_THAT(send<ApiKey::kListDatabases>(request).database_name(), ElementsAre("db", "fluss"));
  request.set_include_summary(true);
  auto summaries = send<ApiKey::kListDatabases>(request);
  EXPECT_THAT(summaries.database_name(), IsEmpty());
  ASSERT_EQ(summaries.database_summary_size(), 2);
  EXPECT_EQ(summaries.database_summary(0).table_count(), 1);
  EXPECT_EQ(summaries.database_summary(1).table_count(), 0);
}

// A table is found as soon as its creation is answered, with all buckets and their leader, by the listener's
// address.
TEST_F(Apis, MetadataHasTablesAndServers) {
  send<ApiKey::kCreateTable>(table("t"));
  auto metadata = send<ApiKey::kGetMetadata>(metadata_of("t"));
  ASSERT_EQ(metadata.tablet_servers_size(), 1);
  EXPECT_EQ(metadata.tablet_servers(0).port(), server_->endpoints()[1].port);
  EXPECT_EQ(metadata.coordinator_server().port(), server_->endpoints()[1].port);
  ASSERT_EQ(metadata.table_metadata_size(), 1);
  const auto& found = metadata.table_metadata(0);
  EXPECT_TRUE(model::TableDescriptor::parse_json(found.table_json()).ok());
  ASSERT_EQ(found.bucket_metadata_size(), 3);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(found.bucket_metadata(i).bucket_id(), i);
    EXPECT_EQ(found.bucket_metadata(i).leader_id(), 0);
  }
}

// One unknown table fails the request; so does an unknown partition, by name and by id.
TEST_F(Apis, UnknownMetadataIsRefused) {
  send<ApiKey::kCreateTable>(table("t", {"day"}));
  EXPECT_EQ(ask<ApiKey::kGetMetadata>(metadata_of("none")).code(), ErrorCode::kTableNotExist);
  proto::MetadataRequest by_name;
  write(model::PhysicalTablePath{{"db", "t"}, "2024"}, *by_name.add_partitions_path());
  EXPECT_EQ(ask<ApiKey::kGetMetadata>(by_name).code(), ErrorCode::kPartitionNotExists);
  auto by_id = metadata_of("t");
  by_id.add_partitions_id(77);
  EXPECT_EQ(ask<ApiKey::kGetMetadata>(by_id).code(), ErrorCode::kPartitionNotExists);
}

// Buckets of a partitioned table come with its partitions, asked by name or by id; a dropped one is gone at
// once.
TEST_F(Apis, MetadataHasPartitions) {
  send<ApiKey::kCreateTable>(table("t", {"day"}));
  send<ApiKey::kCreatePartition>(partition("t", "2024"));
  proto::MetadataRequest by_name;
  write(model::PhysicalTablePath{{"db", "t"}, "2024"}, *by_name.add_partitions_path());
  auto found = send<ApiKey::kGetMetadata>(by_name);
  ASSERT_EQ(found.partition_metadata_size(), 1);
  EXPECT_EQ(found.partition_metadata(0).bucket_metadata_size(), 3);
  EXPECT_EQ(found.partition_metadata(0).bucket_count(), 3);

  auto by_id = metadata_of("t");
  by_id.add_partitions_id(found.partition_metadata(0).partition_id());
  auto again = send<ApiKey::kGetMetadata>(by_id);
  EXPECT_EQ(again.table_metadata(0).bucket_metadata_size(), 0);
  ASSERT_EQ(again.partition_metadata_size(), 1);
  EXPECT_EQ(again.partition_metadata(0).partition_name(), "2024");

  auto drop = of_table<proto::DropPartitionRequest>("t");
  write(model::PartitionSpec{{{"day", "2024"}}}, *drop.mutable_partition_spec());
  drop.set_ignore_if_not_exists(false);
  send<ApiKey::kDropPartition>(drop);
  EXPECT_EQ(ask<ApiKey::kGetMetadata>(by_name).code(), ErrorCode::kPartitionNotExists);
}

// Partitions are listed by name, filtered by value; a key that is none is an error.
TEST_F(Apis, PartitionsAreListed) {
  send<ApiKey::kCreateTable>(table("t", {"day"}));
  send<ApiKey::kCreateTable>(table("plain"));
  send<ApiKey::kCreatePartition>(partition("t", "2025"));
  send<ApiKey::kCreatePartition>(partition("t", "2024"));
  auto request = of_table<proto::ListPartitionInfosRequest>("t");
  auto all = send<ApiKey::kListPartitionInfos>(request);
  ASSERT_EQ(all.partitions_info_size(), 2);
  EXPECT_EQ(all.partitions_info(0).partition_spec().partition_key_values(0).value(), "2024");
  EXPECT_FALSE(all.has_system_partitions_included());

  write(model::PartitionSpec{{{"day", "2025"}}}, *request.mutable_partial_partition_spec());
  EXPECT_EQ(send<ApiKey::kListPartitionInfos>(request).partitions_info_size(), 1);
  request.mutable_partial_partition_spec()->mutable_partition_key_values(0)->set_key("id");
  EXPECT_EQ(ask<ApiKey::kListPartitionInfos>(request).code(), ErrorCode::kUnknownServerError);
  EXPECT_EQ(ask<ApiKey::kListPartitionInfos>(of_table<proto::ListPartitionInfosRequest>("plain")).code(),
            ErrorCode::kTableNotPartitioned);
}

// Columns are added at the end and make a new schema; both schemas can be read, and no other.
TEST_F(Apis, ColumnsAreAdded) {
  send<ApiKey::kCreateTable>(table("t"));
  auto request = alteration("t");
  add_column(request, "age");
  send<ApiKey::kAlterTable>(request);
  auto schema = of_table<proto::GetTableSchemaRequest>("t");
  auto newest = send<ApiKey::kGetTableSchema>(schema);
  EXPECT_EQ(newest.schema_id(), 2);
  EXPECT_EQ(model::Schema::parse_json(newest.schema_json()).value().columns().back().name, "age");
  schema.set_schema_id(1);
  EXPECT_EQ(
      model::Schema::parse_json(send<ApiKey::kGetTableSchema>(schema).schema_json()).value().columns().size(),
      2u);
  schema.set_schema_id(3);
  EXPECT_EQ(ask<ApiKey::kGetTableSchema>(schema).code(), ErrorCode::kSchemaNotExist);
  EXPECT_EQ(ask<ApiKey::kGetTableSchema>(of_table<proto::GetTableSchemaRequest>("none")).code(),
            ErrorCode::kSchemaNotExist);
}

// What can't be altered is refused with the codes that clients know, and changes nothing.
TEST_F(Apis, OtherAlterationsAreRefused) {
  send<ApiKey::kCreateTable>(table("t"));
  auto both = alteration("t");
  add_column(both, "age");
  *both.add_config_changes() = option("owner", "a");
  EXPECT_EQ(ask<ApiKey::kAlterTable>(both).code(), ErrorCode::kInvalidAlterTable);
  auto first = alteration("t");
  add_column(first, "age", 1);
  EXPECT_EQ(ask<ApiKey::kAlterTable>(first).code(), ErrorCode::kUnknownServerError);
  auto drop = alteration("t");
  drop.add_drop_columns()->set_column_name("day");
  EXPECT_EQ(ask<ApiKey::kAlterTable>(drop).code(), ErrorCode::kUnknownServerError);
  auto buckets = alteration("t");
  buckets.mutable_modify_bucket_count()->set_new_bucket_count(9);
  EXPECT_EQ(ask<ApiKey::kAlterTable>(buckets).code(), ErrorCode::kInvalidAlterTable);
  auto append = alteration("t");
  *append.add_config_changes() = option("owner", "a", 2);
  EXPECT_EQ(ask<ApiKey::kAlterTable>(append).code(), ErrorCode::kUnknownServerError);
  EXPECT_EQ(send<ApiKey::kGetTableInfo>(of_table<proto::GetTableInfoRequest>("t")).schema_id(), 1);

  auto missing = alteration("none");
  missing.add_drop_columns()->set_column_name("day");
  EXPECT_EQ(ask<ApiKey::kAlterTable>(missing).code(), ErrorCode::kTableNotExist);
  missing.set_ignore_if_not_exists(true);
  send<ApiKey::kAlterTable>(missing);
}

// A set and a delete of one key in one request: the last counts.
TEST_F(Apis, LastChangeOfAnOptionCounts) {
  send<ApiKey::kCreateTable>(table("t"));
  auto request = alteration("t");
  *request.add_config_changes() = option("a", "1");
  *request.add_config_changes() = option("b", "1");
  *request.add_config_changes() = option("a", "", 1);
  *request.add_config_changes() = option("b", "2");
  send<ApiKey::kAlterTable>(request);
  auto info = send<ApiKey::kGetTableInfo>(of_table<proto::GetTableInfoRequest>("t"));
  auto descriptor = model::TableDescriptor::parse_json(info.table_json()).value();
  EXPECT_EQ(descriptor.custom_properties, (model::Properties{{"b", "2"}}));
}

// A document that is none is the table's fault; a table that was dropped is gone from every answer.
TEST_F(Apis, TablesComeAndGo) {
  auto broken = table("t");
  broken.set_table_json("{");
  EXPECT_EQ(ask<ApiKey::kCreateTable>(broken).code(), ErrorCode::kInvalidTable);
  send<ApiKey::kCreateTable>(table("t"));
  EXPECT_TRUE(send<ApiKey::kTableExists>(of_table<proto::TableExistsRequest>("t")).exists());
  auto drop = of_table<proto::DropTableRequest>("t");
  drop.set_ignore_if_not_exists(false);
  send<ApiKey::kDropTable>(drop);
  EXPECT_FALSE(send<ApiKey::kTableExists>(of_table<proto::TableExistsRequest>("t")).exists());
  EXPECT_EQ(ask<ApiKey::kGetMetadata>(metadata_of("t")).code(), ErrorCode::kTableNotExist);
  EXPECT_EQ(ask<ApiKey::kGetTableInfo>(of_table<proto::GetTableInfoRequest>("t")).code(),
            ErrorCode::kTableNotExist);
  proto::ListTablesRequest list;
  list.set_database_name("db");
  EXPECT_THAT(send<ApiKey::kListTables>(list).table_name(), IsEmpty());
}

// Names that could leave their place among the nodes name nothing.
TEST_F(Apis, OddNamesNameNothing) {
  send<ApiKey::kCreateTable>(table("t"));
  EXPECT_EQ(ask<ApiKey::kGetTableInfo>(of_table<proto::GetTableInfoRequest>("t/schemas/1")).code(),
            ErrorCode::kTableNotExist);
  proto::DatabaseExistsRequest exists;
  exists.set_database_name("db/tables/t");
  EXPECT_FALSE(send<ApiKey::kDatabaseExists>(exists).exists());
}

// A local file system needs no token.
TEST_F(Apis, LocalFilesNeedNoToken) {
  auto token = send<ApiKey::kGetFileSystemSecurityToken>({});
  EXPECT_EQ(token.schema(), "file");
  EXPECT_EQ(token.token(), "");
}

// An answer to a fetch has records for each bucket that was read, even when there are none: Java clients
// fail without.
TEST_F(Apis, EmptyBucketsHaveRecords) {
  send<ApiKey::kCreateTable>(table("t"));
  const auto info = send<ApiKey::kGetTableInfo>(of_table<proto::GetTableInfoRequest>("t"));
  rpc::FetchLogRequest request{.max_bytes = 1 << 20};
  auto& wanted = request.tables.emplace_back();
  wanted.table = model::TableId(info.table_id());
  for (int32_t id : {0, 1, 2}) {
    wanted.buckets.push_back(
        {.bucket = model::BucketId(id), .fetch_offset = model::Offset(0), .max_fetch_bytes = 1 << 20});
  }
  std::optional<Result<rpc::FetchLogResponse>> response;
  run([&] { return fetch(request, response); });
  ASSERT_TRUE(response->ok()) << response->error().message;
  ASSERT_EQ((*response)->tables.at(0).buckets.size(), 3u);
  for (const auto& bucket : (*response)->tables[0].buckets) {
    EXPECT_FALSE(bucket.error) << bucket.error->message;
    ASSERT_TRUE(bucket.records) << "bucket " << bucket.bucket.value;
    EXPECT_TRUE(bucket.records->empty());
  }
}

}  // namespace
}  // namespace strom::server
