// The coordinator's orders survive the way through messages: what the control client writes is what tablet
// servers read.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "server/convert/control.h"
#include "server/convert/metadata.h"
#include "server/convert/names.h"
#include "server/convert/servers.h"
#include "server/coordinator/control_requests.h"

namespace strom::server {
namespace {

using coordinator::BucketLeadership;
using coordinator::MetadataUpdate;
using model::BucketId;
using model::PartitionId;
using model::ServerId;
using model::TableId;
using testing::ElementsAre;

const model::TablePath kPath{"db", "events"};
const std::vector<model::Endpoint> kCoordinator{{"FLUSS", "c", 9123}, {"CLIENT", "c.example", 9223}};

model::TableInfo table(std::vector<std::string> partition_keys = {}) {
  auto schema = model::SchemaBuilder()
                    .column("id", model::DataType::integer())
                    .column("day", model::DataType::string(), "of the event")
                    .build();
  model::TableDescriptor descriptor{.schema = schema.value(),
                                    .comment = "what happened",
                                    .partition_keys = std::move(partition_keys),
                                    .distribution = model::Distribution{2, {"id"}},
                                    .properties = {{"table.log.ttl", "2d"}},
                                    .custom_properties = {{"owner", "team a"}}};
  auto registration =
      model::TableRegistration::make(TableId(7), descriptor, "/remote", model::Timestamp(1000)).value();
  registration.modified = model::Timestamp(2000);
  return model::make_table_info(kPath, registration, {model::SchemaId(3), descriptor.schema}).value();
}

BucketLeadership bucket(int32_t number, std::optional<PartitionId> partition = std::nullopt) {
  BucketLeadership one;
  one.path.path = kPath;
  if (partition) one.path.partition = "2024";
  one.bucket = {TableId(7), partition, BucketId(number)};
  one.replicas = {ServerId(2), ServerId(1)};
  one.leadership.leader = ServerId(2);
  one.leadership.leader_epoch = model::LeaderEpoch(5);
  one.leadership.bucket_epoch = model::BucketEpoch(6);
  one.leadership.coordinator_epoch = model::CoordinatorEpoch(9);
  one.leadership.isr = {ServerId(2)};
  one.leadership.standby_replicas = {ServerId(1)};
  return one;
}

MetadataNews send(const MetadataUpdate& update,
                  std::map<ServerId, model::TabletServerRegistration> servers = {}) {
  auto request = update_metadata_request(model::CoordinatorEpoch(9), kCoordinator, servers, update);
  proto::UpdateMetadataRequest received;
  EXPECT_TRUE(received.ParseFromString(request.SerializeAsString()));
  EXPECT_EQ(received.coordinator_epoch(), 9);
  return metadata_news(received).value();
}

// Everything that a replica's role depends on arrives, also of a bucket of a partition.
TEST(Convert, LeadershipsArriveWhole) {
  const std::vector<BucketLeadership> sent{bucket(0), bucket(1, PartitionId(11))};
  auto orders = leaderships(notify_leaders_request(model::CoordinatorEpoch(9), sent)).value();
  ASSERT_EQ(orders.size(), sent.size());
  for (size_t i = 0; i < sent.size(); ++i) {
    EXPECT_EQ(orders[i].path, sent[i].path);
    EXPECT_EQ(orders[i].bucket, sent[i].bucket);
    EXPECT_EQ(orders[i].replicas, sent[i].replicas);
    EXPECT_EQ(orders[i].state, sent[i].leadership);
  }
}

// A bucket's path and its id must speak of the same thing: a table, or a partition.
TEST(Convert, LeadershipOfHalfAPartitionIsRefused) {
  BucketLeadership half = bucket(0, PartitionId(11));
  half.path.partition.reset();
  auto orders = leaderships(notify_leaders_request(model::CoordinatorEpoch(9), {half}));
  EXPECT_EQ(orders.code(), ErrorCode::kUnknownTableOrBucket);
}

// Stops say whether data goes; remote data goes with it, which older receivers take from the same field.
TEST(Convert, StopsArriveWhole) {
  const std::vector<coordinator::ReplicaStop> sent{
      {bucket(0).bucket, true, model::LeaderEpoch(5)},
      {bucket(1, PartitionId(11)).bucket, false, model::LeaderEpoch(6)}};
  auto request = stop_replicas_request(model::CoordinatorEpoch(9), sent);
  EXPECT_TRUE(request.stop_replicas_req(0).deleteremote());
  EXPECT_FALSE(request.stop_replicas_req(1).deleteremote());
  auto stops = replica_stops(request).value();
  ASSERT_EQ(stops.size(), 2u);
  for (size_t i = 0; i < sent.size(); ++i) {
    EXPECT_EQ(stops[i].bucket, sent[i].bucket);
    EXPECT_EQ(stops[i].delete_data, sent[i].delete_data);
    EXPECT_EQ(stops[i].leader_epoch, sent[i].leader_epoch);
  }
}

// A table arrives with its schema, properties, times and directory, and its buckets with their leaders.
TEST(Convert, TablesAndTheirBucketsArrive) {
  MetadataUpdate update;
  update.tables = {table()};
  update.buckets = {bucket(0), bucket(1)};
  update.buckets[1].leadership.leader = model::kNoServer;
  MetadataNews news = send(update);
  ASSERT_EQ(news.tables.size(), 1u);
  const model::TableInfo& info = *news.tables[0];
  EXPECT_EQ(info.path, kPath);
  EXPECT_EQ(info.table_id, TableId(7));
  EXPECT_EQ(info.schema_id, model::SchemaId(3));
  EXPECT_EQ(info.descriptor(), update.tables[0].descriptor());
  EXPECT_EQ(info.remote_data_dir, "/remote");
  EXPECT_EQ(info.created, model::Timestamp(1000));
  EXPECT_EQ(info.modified, model::Timestamp(2000));
  ASSERT_EQ(news.buckets.size(), 2u);
  EXPECT_EQ(news.buckets[0].key, update.buckets[0].bucket);
  EXPECT_EQ(news.buckets[0].metadata.leader, ServerId(2));
  EXPECT_EQ(news.buckets[0].metadata.leader_epoch, model::LeaderEpoch(5));
  EXPECT_EQ(news.buckets[0].metadata.bucket_epoch, model::BucketEpoch(6));
  EXPECT_THAT(news.buckets[0].metadata.replicas, ElementsAre(ServerId(2), ServerId(1)));
  EXPECT_THAT(news.buckets[0].metadata.isr, ElementsAre(ServerId(2)));
  EXPECT_EQ(news.buckets[1].metadata.leader, std::nullopt);
}

// News of leaders alone reach tables and partitions that the receiver knows, and describe nothing anew.
TEST(Convert, BucketsArriveWithoutTheirTable) {
  MetadataUpdate update;
  update.buckets = {bucket(0), bucket(1), bucket(0, PartitionId(11))};
  MetadataNews news = send(update);
  EXPECT_TRUE(news.tables.empty());
  ASSERT_EQ(news.buckets.size(), 3u);
  EXPECT_EQ(news.buckets[1].key, update.buckets[1].bucket);
  EXPECT_EQ(news.buckets[2].key, update.buckets[2].bucket);
  ASSERT_EQ(news.partitions.size(), 1u);
  EXPECT_EQ(news.partitions[0].name, "2024");
}

// A cache that got a table and a partition forgets them by the marks of the messages, and keeps the others.
TEST(Convert, WhatIsDroppedLeavesTheCache) {
  MetadataUpdate update;
  update.tables = {table({"day"})};
  update.partitions = {{TableId(7), "2024", PartitionId(11)}, {TableId(7), "2025", PartitionId(12)}};
  update.buckets = {bucket(0, PartitionId(11))};
  MetadataCache cache;
  cache.apply(send(update));
  ASSERT_TRUE(cache.knows(bucket(0, PartitionId(11)).bucket));

  MetadataUpdate drop_partition;
  drop_partition.dropped_partitions = {{TableId(7), "2024", PartitionId(11)}};
  cache.apply(send(drop_partition));
  EXPECT_FALSE(cache.knows(bucket(0, PartitionId(11)).bucket));
  EXPECT_EQ(cache.find_partition(PartitionId(11)), std::nullopt);
  ASSERT_NE(cache.find(kPath), nullptr);
  EXPECT_EQ(cache.find(kPath)->partitions.count("2024"), 0u);
  EXPECT_EQ(cache.find(kPath)->partitions.count("2025"), 1u);

  MetadataUpdate drop_table;
  drop_table.dropped_tables = {{kPath, TableId(7)}};
  cache.apply(send(drop_table));
  EXPECT_EQ(cache.find(kPath), nullptr);
  EXPECT_EQ(cache.find_partition(PartitionId(12)), std::nullopt);
}

// The other way of saying that something is gone, which coordinators of Fluss use: the real name and the id
// -2.
TEST(Convert, WhatIsDroppedByNameLeavesTheCache) {
  MetadataUpdate update;
  update.tables = {table({"day"})};
  update.partitions = {{TableId(7), "2024", PartitionId(11)}};
  MetadataCache cache;
  cache.apply(send(update));

  proto::UpdateMetadataRequest drop_partition;
  write(TableId(7), "2024", PartitionId(kDeletedId), *drop_partition.add_partition_metadata());
  cache.apply(metadata_news(drop_partition).value());
  EXPECT_EQ(cache.find_partition(PartitionId(11)), std::nullopt);

  proto::UpdateMetadataRequest drop_table;
  write(table(), *drop_table.add_table_metadata());
  drop_table.mutable_table_metadata(0)->set_table_id(kDeletedId);
  cache.apply(metadata_news(drop_table).value());
  EXPECT_EQ(cache.find(kPath), nullptr);
}

// Servers arrive with all listeners and their rack; clients get the address of the listener that they came in
// on.
TEST(Convert, ServersAreToldByListener) {
  std::map<ServerId, model::TabletServerRegistration> live;
  live[ServerId(2)] = {.endpoints = {{"FLUSS", "10.0.0.2", 9124}, {"CLIENT", "two.example", 9224}},
                       .rack = "r2"};
  MetadataNews news = send({}, live);
  ASSERT_TRUE(news.coordinator.has_value());
  EXPECT_EQ(news.coordinator->endpoints, kCoordinator);
  ASSERT_EQ(news.servers.size(), 1u);
  const ServerAddress& address = news.servers.at(ServerId(2));
  EXPECT_EQ(address.endpoints, live.at(ServerId(2)).endpoints);
  EXPECT_EQ(address.rack, "r2");

  proto::PbServerNode node;
  ASSERT_TRUE(write_for_client(ServerId(2), address, "CLIENT", node));
  EXPECT_EQ(node.host(), "two.example");
  EXPECT_EQ(node.port(), 9224);
  EXPECT_EQ(node.rack(), "r2");
  EXPECT_FALSE(write_for_client(ServerId(2), address, "INTERNAL", node));
}

// A server that knows no listeners tells one address; it is the internal one.
TEST(Convert, ServerWithoutListenersHasOneEndpoint) {
  proto::PbServerNode node;
  node.set_node_id(1);
  node.set_host("old");
  node.set_port(9123);
  EXPECT_THAT(server_address(node).value().endpoints, ElementsAre(model::Endpoint{"FLUSS", "old", 9123}));
}

// A filter or spec with a key twice means its last value.
TEST(Convert, PartitionSpecKeepsTheLastValue) {
  proto::PbPartitionSpec message;
  write(model::PartitionSpec{{{"a", "1"}, {"b", "2"}, {"a", "3"}}}, message);
  EXPECT_EQ(partition_spec(message), (model::PartitionSpec{{{"a", "3"}, {"b", "2"}}}));
}

}  // namespace
}  // namespace strom::server
