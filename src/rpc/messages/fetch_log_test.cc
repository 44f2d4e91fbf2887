#include "rpc/messages/fetch_log.h"

#include <gtest/gtest.h>

#include "rpc/codec.h"
#include "rpc/proto/log.pb.h"

namespace strom::rpc {
namespace {

Slice slice_of(const google::protobuf::MessageLite& message) { return serialize_message(message); }

proto::FetchLogRequest sample_request() {
  proto::FetchLogRequest message;
  message.set_follower_server_id(-1);
  message.set_max_bytes(16 << 20);
  auto* table = message.add_tables_req();
  table->set_table_id(5);
  table->set_projection_pushdown_enabled(true);
  for (int field : {0, 2, 300}) table->add_projected_fields(field);
  auto* bucket = table->add_buckets_req();
  bucket->set_partition_id(1);
  bucket->set_bucket_id(2);
  bucket->set_fetch_offset(-2);
  bucket->set_max_fetch_bytes(1 << 20);
  bucket->set_routing_bucket_count(4);
  auto* predicate = table->mutable_filter_predicate();
  predicate->set_type(0);
  predicate->mutable_leaf()->set_function(1);
  predicate->mutable_leaf()->set_field_id(7);
  table->set_filter_schema_id(3);
  message.add_tables_req()->set_table_id(6);
  message.mutable_tables_req(1)->set_projection_pushdown_enabled(false);
  message.set_max_wait_ms(500);
  message.set_min_bytes(1);
  message.set_read_preference(1);
  return message;
}

// A request written by protobuf is read field by field, and written again with the same bytes.
TEST(FetchLog, Request) {
  Slice body = slice_of(sample_request());
  FetchLogRequest request = *FetchLogRequest::decode(body);
  EXPECT_EQ(request.follower, model::kNoServer);
  EXPECT_EQ(request.max_bytes, 16 << 20);
  EXPECT_EQ(request.max_wait, Millis(500));
  EXPECT_EQ(request.min_bytes, 1);
  EXPECT_EQ(request.read_preference, kReadRemoteFirst);
  ASSERT_EQ(request.tables.size(), 2u);
  const auto& table = request.tables[0];
  EXPECT_EQ(table.table, model::TableId(5));
  EXPECT_TRUE(table.projection_enabled);
  EXPECT_EQ(table.projected_fields, (std::vector<int32_t>{0, 2, 300}));
  EXPECT_EQ(table.filter_schema, model::SchemaId(3));
  EXPECT_EQ(parse_message<proto::PbPredicate>(*table.filter_predicate)->leaf().field_id(), 7);
  ASSERT_EQ(table.buckets.size(), 1u);
  EXPECT_EQ(table.buckets[0].fetch_offset, kFetchFromEarliest);
  EXPECT_EQ(table.buckets[0].max_fetch_bytes, 1 << 20);
  EXPECT_EQ(table.buckets[0].routing_bucket_count, 4);
  EXPECT_FALSE(request.tables[1].projection_enabled);
  EXPECT_EQ(to_hex(request.encode().flatten().view()), to_hex(body.view()));
}

// Repeated numbers that were not packed are read, too; absent waits stay absent.
TEST(FetchLog, UnpackedFieldsAndDefaults) {
  Slice body =
      Slice::own(from_hex("0800"
                          "1000"
                          "1a08"
                          "0805"
                          "1001"
                          "1801"
                          "1807"));
  FetchLogRequest request = *FetchLogRequest::decode(body);
  EXPECT_EQ(request.follower, model::ServerId(0));
  EXPECT_EQ(request.tables.at(0).projected_fields, (std::vector<int32_t>{1, 7}));
  EXPECT_EQ(request.min_bytes, std::nullopt);
  EXPECT_EQ(request.max_wait, std::nullopt);
}

// Each required field of a request is missed by name.
TEST(FetchLog, MissingFields) {
  auto expect_missing = [](const char* digits, const char* field) {
    auto result = FetchLogRequest::decode(Slice::own(from_hex(digits)));
    EXPECT_EQ(result.code(), ErrorCode::kUnknownServerError) << field;
    EXPECT_NE(result.error().message.find(field), std::string::npos) << result.error().message;
  };
  expect_missing("1000", "follower_server_id");
  expect_missing("0800", "max_bytes");
  expect_missing("080010001a021001", "table_id");
  expect_missing("080010001a020805", "projection_pushdown_enabled");
  expect_missing(
      "080010001a0808051001220210"
      "01",
      "fetch_offset");
}

FetchLogResponse sample_response(size_t record_bytes) {
  FetchLogResponse response;
  auto& table = response.tables.emplace_back();
  table.table = model::TableId(5);
  Payload records(Slice::own(std::string(record_bytes, 'a')));
  records.add(Slice::own(std::string(record_bytes, 'b')));
  table.buckets.push_back({.partition = model::PartitionId(3),
                           .bucket = model::BucketId(0),
                           .high_watermark = model::Offset(100),
                           .log_start_offset = model::Offset(0),
                           .records = records,
                           .filtered_end_offset = model::Offset(90),
                           .min_retain_offset = model::Offset(0)});
  table.buckets.push_back(
      {.bucket = model::BucketId(1), .error = Error{ErrorCode::kLogOffsetOutOfRange, "too far"}});
  RemoteLogFetchInfo remote{.directory = "file:///r", .partition_name = "p", .first_start_position = 42};
  remote.segments.push_back({.id = "abc",
                             .start = model::Offset(0),
                             .end = model::Offset(9),
                             .size = 77,
                             .max_timestamp = model::Timestamp(1700000000000)});
  table.buckets.push_back(
      {.bucket = model::BucketId(2), .high_watermark = model::Offset(9), .remote = remote});
  response.tables.emplace_back().table = model::TableId(6);
  return response;
}

// A response has protobuf's own bytes, whether its records are short (copied) or long (referred to, not
// copied).
TEST(FetchLog, ResponseAsProtobufDoes) {
  for (size_t size : {size_t{1}, size_t{200}, size_t{512}, size_t{70'000}}) {
    FetchLogResponse response = sample_response(size);
    Payload payload = response.encode();
    Slice body = payload.flatten();
    auto message = *parse_message<proto::FetchLogResponse>(body);
    EXPECT_EQ(to_hex(slice_of(message).view()), to_hex(body.view())) << size;
    EXPECT_EQ(message.tables_resp(0).buckets_resp(0).records(),
              std::string(size, 'a') + std::string(size, 'b'));
    EXPECT_EQ(message.tables_resp(0).buckets_resp(1).error_code(), 19);
    EXPECT_FALSE(message.tables_resp(0).buckets_resp(1).has_records());
    EXPECT_EQ(
        message.tables_resp(0).buckets_resp(2).remote_log_fetch_info().remote_log_segments(0).max_timestamp(),
        1700000000000);
    if (size >= 512) {
      ASSERT_EQ(payload.parts().size(), 4u);
      EXPECT_EQ(payload.parts()[1].data(), response.tables[0].buckets[0].records->parts()[0].data());
    }
  }
}

// What we wrote reads back equal: written again it has the same bytes.
TEST(FetchLog, ResponseReadsBack) {
  Slice body = sample_response(600).encode().flatten();
  FetchLogResponse read = *FetchLogResponse::decode(body);
  EXPECT_EQ(read.tables[0].buckets[2].remote->segments[0].size, 77);
  EXPECT_EQ(read.tables[0].buckets[0].records->size(), 1200u);
  EXPECT_EQ(read.tables[0].buckets[1].error->message, "too far");
  EXPECT_EQ(to_hex(read.encode().flatten().view()), to_hex(body.view()));
}

// Present but empty records are not the same as absent ones.
TEST(FetchLog, EmptyRecordsArePresent) {
  FetchLogResponse response;
  response.tables.emplace_back().buckets.push_back({.bucket = model::BucketId(0), .records = Payload()});
  auto message = *parse_message<proto::FetchLogResponse>(response.encode().flatten());
  EXPECT_TRUE(message.tables_resp(0).buckets_resp(0).has_records());
}

}  // namespace
}  // namespace strom::rpc
