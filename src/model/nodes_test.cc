#include <gtest/gtest.h>

#include "model/assignment.h"
#include "model/node_paths.h"
#include "model/registration.h"
#include "model/server_registration.h"

namespace strom::model {
namespace {

// Reads a document of the newest version and writes it back with the same bytes.
template <class Document>
void expect_same_bytes(std::string_view json) {
  Result<Document> parsed = Document::parse_json(json);
  ASSERT_TRUE(parsed.ok()) << json << ": " << parsed.error().message;
  EXPECT_EQ(parsed->to_json(), json);
}

// Every node document of the newest version keeps its bytes.
TEST(Nodes, DocumentsKeepTheirBytes) {
  expect_same_bytes<DatabaseRegistration>(
      R"({"version":1,"comment":"c","custom_properties":{"b":"1","a":"2"},"created_time":5,"modified_time":-1})");
  expect_same_bytes<TableRegistration>(
      R"({"version":1,"table_id":1234,"comment":"t","partition_key":["a","b"],"bucket_key":["c"],"bucket_count":16,)"
      R"("properties":{"table.log.ttl":"7d"},"custom_properties":{"k":"v"},"remote_data_dir":"file:///r",)"
      R"("created_time":5,"modified_time":6})");
  expect_same_bytes<TableRegistration>(R"({"version":1,"table_id":0,"bucket_count":1,"properties":{},)"
                                       R"("custom_properties":{},"created_time":-1,"modified_time":-1})");
  expect_same_bytes<PartitionRegistration>(
      R"({"version":1,"table_id":1,"partition_id":2,"remote_data_dir":"s3://b/x"})");
  expect_same_bytes<PartitionRegistration>(R"({"version":1,"table_id":1,"partition_id":2})");
  expect_same_bytes<TableAssignment>(R"({"version":1,"buckets":{"0":[1,4,5],"1":[2,3],"10":[]}})");
  expect_same_bytes<PartitionAssignment>(R"({"version":1,"table_id":7,"buckets":{"0":[1,4,5]}})");
  expect_same_bytes<LeaderAndIsr>(
      R"({"version":2,"leader":1,"leader_epoch":10,"isr":[1,2,3],"coordinator_epoch":100,)"
      R"("bucket_epoch":1000,"standby_replicas":[4]})");
  expect_same_bytes<CoordinatorAddress>(R"({"version":2,"id":"7","listeners":"CLIENT://h:1,FLUSS://h:2"})");
  expect_same_bytes<TabletServerRegistration>(
      R"({"version":4,"listeners":"FLUSS://h:2","register_timestamp":9,"rack":"r","cpu_cores":4.0,"memory_bytes":8})");
  expect_same_bytes<ServerTags>(R"({"version":1,"server_tags":{"0":0,"3":1}})");
  expect_same_bytes<DynamicConfig>(R"({"version":1,"configs":{"z":"1","a":null}})");
}

// Older versions are read, and written as the newest.
TEST(Nodes, OlderVersionsAreRead) {
  auto coordinator =
      CoordinatorAddress::parse_json(R"({"version":1,"id":"x","host":"h","port":1001})").value();
  EXPECT_EQ(coordinator.to_json(), R"({"version":2,"id":"x","listeners":"CLIENT://h:1001"})");
  auto server =
      TabletServerRegistration::parse_json(R"({"version":1,"host":"h","port":7,"register_timestamp":3})")
          .value();
  EXPECT_EQ(server.endpoints, (std::vector<Endpoint>{{"FLUSS", "h", 7}}));
  server =
      TabletServerRegistration::parse_json(R"({"version":2,"listeners":"A://h:7","register_timestamp":3})")
          .value();
  EXPECT_EQ(server.to_json(), R"({"version":4,"listeners":"A://h:7","register_timestamp":3})");
  auto state =
      LeaderAndIsr::parse_json(R"({"version":1,"leader":-1,"leader_epoch":0,"isr":[1],"coordinator_epoch":0,)"
                               R"("bucket_epoch":1})")
          .value();
  EXPECT_EQ(state.leader, kNoServer);
  EXPECT_TRUE(state.standby_replicas.empty());
}

// Fields that we don't know are skipped; broken documents are errors that say which node is meant.
TEST(Nodes, UnknownFieldsAreSkippedAndBrokenDocumentsRefused) {
  EXPECT_TRUE(
      PartitionRegistration::parse_json(R"({"version":9,"table_id":1,"new":[{}],"partition_id":2})").ok());
  EXPECT_FALSE(PartitionRegistration::parse_json(R"({"version":1,"table_id":"1","partition_id":2})").ok());
  EXPECT_FALSE(TableAssignment::parse_json(R"({"version":1,"buckets":{"x":[1]}})").ok());
  EXPECT_FALSE(TableAssignment::parse_json(R"({"version":1,"buckets":{"0":7}})").ok());
  EXPECT_FALSE(TableAssignment::parse_json("{").ok());
  EXPECT_FALSE(LeaderAndIsr::parse_json(R"({"version":2,"leader":1})").ok());
  EXPECT_FALSE(ServerTags::parse_json(R"({"version":1,"server_tags":{"a":0}})").ok());
  EXPECT_FALSE(DynamicConfig::parse_json(R"({"version":1,"configs":{"a":7}})").ok());
  EXPECT_EQ(DatabaseRegistration::parse_json("{}").error().message,
            "database node: 'custom_properties' is missing");
}

// A descriptor becomes a registration only with a bucket count.
TEST(Nodes, TableIsRegisteredFromItsDescriptor) {
  TableDescriptor descriptor{.comment = "c",
                             .distribution = Distribution{.bucket_count = 4, .bucket_keys = {"k"}},
                             .properties = {{"table.replication.factor", "1"}}};
  TableRegistration table =
      TableRegistration::make(TableId(3), descriptor, "file:///r", Timestamp(99)).value();
  EXPECT_EQ(table.bucket_count, 4);
  EXPECT_EQ(table.bucket_keys, std::vector<std::string>{"k"});
  EXPECT_EQ(table.created, Timestamp(99));
  EXPECT_FALSE(TableRegistration::make(TableId(3), {}, std::nullopt, Timestamp(99)).ok());
}

// Counters are 8 bytes, big-endian; a fresh node counts from 0. The coordinator epoch is text.
TEST(Nodes, Counters) {
  EXPECT_EQ(to_hex(encode_counter(0x0102030405060708)), "0102030405060708");
  EXPECT_EQ(decode_counter(encode_counter(-2)).value(), -2);
  EXPECT_EQ(decode_counter({}).value(), 0);
  EXPECT_FALSE(decode_counter(as_bytes("123")).ok());
  EXPECT_EQ(encode_coordinator_epoch(CoordinatorEpoch(12)), "12");
  EXPECT_EQ(decode_coordinator_epoch("12").value(), CoordinatorEpoch(12));
  EXPECT_FALSE(decode_coordinator_epoch("12x").ok());
}

// Paths are those of the upstream tree.
TEST(NodePaths, AreTheUpstreamTree) {
  TablePath table{"db", "t"};
  TableBucket plain{TableId(5), std::nullopt, BucketId(2)};
  TableBucket partitioned{TableId(5), PartitionId(6), BucketId(2)};
  EXPECT_EQ(node_paths::database("db"), "/metadata/databases/db");
  EXPECT_EQ(node_paths::table(table), "/metadata/databases/db/tables/t");
  EXPECT_EQ(node_paths::schema(table, SchemaId(3)), "/metadata/databases/db/tables/t/schemas/3");
  EXPECT_EQ(node_paths::partition(table, "a$b"), "/metadata/databases/db/tables/t/partitions/a$b");
  EXPECT_EQ(node_paths::auto_increment_counter(table, 4), "/metadata/databases/db/tables/t/auto_inc/col_4");
  EXPECT_EQ(node_paths::leader_and_isr(plain), "/tabletservers/tables/5/buckets/2/leader_isr");
  EXPECT_EQ(node_paths::remote_logs(partitioned), "/tabletservers/partitions/6/buckets/2/remote_logs");
  EXPECT_EQ(node_paths::snapshot(plain, 9), "/tabletservers/tables/5/buckets/2/snapshots/9");
  EXPECT_EQ(node_paths::lake_table(TableId(5)), "/tabletservers/tables/5/laketable");
  EXPECT_EQ(node_paths::tablet_server(ServerId(0)), "/tabletservers/ids/0");
  EXPECT_EQ(node_paths::acl("TABLE", "db.t"), "/fluss-acls/TABLE/db.t");
}

// Paths are parsed back into what they name, and into nothing when they are of another kind.
TEST(NodePaths, ParseBack) {
  TablePath table{"db", "t"};
  EXPECT_EQ(node_paths::parse_database("/metadata/databases/db"), "db");
  EXPECT_EQ(node_paths::parse_table(node_paths::table(table)), table);
  EXPECT_EQ(node_paths::parse_schema(node_paths::schema(table, SchemaId(3))),
            (node_paths::SchemaNode{table, SchemaId(3)}));
  EXPECT_EQ(node_paths::parse_partition(node_paths::partition(table, "a$b")),
            (PhysicalTablePath{table, "a$b"}));
  EXPECT_EQ(node_paths::parse_tablet_server("/tabletservers/ids/12"), ServerId(12));

  EXPECT_EQ(node_paths::parse_database("/metadata/databases"), std::nullopt);
  EXPECT_EQ(node_paths::parse_database("/metadata/databases/db/tables"), std::nullopt);
  EXPECT_EQ(node_paths::parse_table(node_paths::schemas(table)), std::nullopt);
  EXPECT_EQ(node_paths::parse_table("/metadata/databases/db/views/t"), std::nullopt);
  EXPECT_EQ(node_paths::parse_table("/metadata/databasesdb/tables/t"), std::nullopt);
  EXPECT_EQ(node_paths::parse_schema(node_paths::table(table) + "/schemas/x"), std::nullopt);
  EXPECT_EQ(node_paths::parse_partition(node_paths::schema(table, SchemaId(3))), std::nullopt);
  EXPECT_EQ(node_paths::parse_tablet_server("/tabletservers/ids/"), std::nullopt);
}

// Lists of listeners: IPv6 with and without brackets, spaces, and what is refused.
TEST(Endpoints, ReadAndPrint) {
  auto endpoints = parse_endpoints("FLUSS://10.0.0.1:9124, CLIENT://[::1]:9123,BIND://:0").value();
  ASSERT_EQ(endpoints.size(), 3);
  EXPECT_EQ(endpoints[1], (Endpoint{"CLIENT", "::1", 9123}));
  EXPECT_EQ(endpoints[2], (Endpoint{"BIND", "", 0}));
  EXPECT_EQ(to_string(endpoints), "FLUSS://10.0.0.1:9124,CLIENT://::1:9123,BIND://:0");
  EXPECT_EQ(parse_endpoints(to_string(endpoints)).value(), endpoints);
  EXPECT_EQ(find_endpoint(endpoints, "CLIENT")->port, 9123);
  EXPECT_EQ(find_endpoint(endpoints, "X"), nullptr);
  EXPECT_TRUE(parse_endpoints("  ").value().empty());
  for (std::string_view text : {"localhost:9123", "CLIENT://localhost", "CLIENT://h:x", "CLIENT://h:70000",
                                "://h:1", "CLIENT://h:1,CLIENT://h:2", "CLIENT://h:1,", "CLIENT://a b:1"}) {
    EXPECT_EQ(parse_endpoints(text).code(), ErrorCode::kInvalidConfig) << text;
  }
}

}  // namespace
}  // namespace strom::model
