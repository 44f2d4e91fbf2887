#include "rpc/messages/produce_log.h"

#include <gtest/gtest.h>

#include "rpc/codec.h"
#include "rpc/proto/log.pb.h"

namespace strom::rpc {
namespace {

Slice slice_of(const google::protobuf::MessageLite& message) { return serialize_message(message); }
std::string text(const Slice& slice) { return to_string(slice.view()); }

proto::ProduceLogRequest sample_request(size_t record_bytes) {
  proto::ProduceLogRequest message;
  message.set_acks(-1);
  message.set_table_id(1234567890123);
  message.set_timeout_ms(30000);
  auto* first = message.add_buckets_req();
  first->set_partition_id(77);
  first->set_bucket_id(3);
  first->set_records(std::string(record_bytes, 'r'));
  first->set_original_partition_name("2024");
  first->set_routing_bucket_count(16);
  auto* second = message.add_buckets_req();
  second->set_bucket_id(0);
  second->set_records("");
  return message;
}

// A request written by protobuf is read field by field, and its records are slices of the request's own
// memory.
TEST(ProduceLog, DecodesRequest) {
  Slice body = slice_of(sample_request(1000));
  ProduceLogRequest request = *ProduceLogRequest::decode(body);
  EXPECT_EQ(request.acks, -1);
  EXPECT_EQ(request.table, model::TableId(1234567890123));
  EXPECT_EQ(request.timeout, Millis(30000));
  ASSERT_EQ(request.buckets.size(), 2u);
  const auto& first = request.buckets[0];
  EXPECT_EQ(first.partition, model::PartitionId(77));
  EXPECT_EQ(first.bucket, model::BucketId(3));
  EXPECT_EQ(text(first.records), std::string(1000, 'r'));
  EXPECT_GE(first.records.data(), body.data());
  EXPECT_LE(first.records.data() + 1000, body.data() + body.size());
  EXPECT_EQ(first.records.owner(), body.owner());
  EXPECT_EQ(first.original_partition_name, "2024");
  EXPECT_EQ(first.routing_bucket_count, 16);
  EXPECT_EQ(request.buckets[1].partition, std::nullopt);
  EXPECT_TRUE(request.buckets[1].records.empty());
}

// A request that we write has protobuf's own bytes, with records that are copied (short) and referred to
// (long).
TEST(ProduceLog, EncodesRequestAsProtobufDoes) {
  for (size_t size : {size_t{0}, size_t{5}, size_t{511}, size_t{512}, size_t{100'000}}) {
    Slice body = slice_of(sample_request(size));
    Payload again = ProduceLogRequest::decode(body)->encode();
    EXPECT_EQ(to_hex(again.flatten().view()), to_hex(body.view())) << size;
    EXPECT_EQ(again.parts().size(), size < 512 ? 1u : 3u) << size;
  }
}

// Responses agree with protobuf in both directions; success has no error code on the wire, failure has.
TEST(ProduceLog, Response) {
  ProduceLogResponse response;
  response.buckets.push_back(
      {.partition = model::PartitionId(9), .bucket = model::BucketId(1), .base_offset = model::Offset(500)});
  response.buckets.push_back({.bucket = model::BucketId(2),
                              .error = Error{ErrorCode::kUnknownServerError, "broken"},
                              .original_partition_name = "p"});
  Slice body = response.encode().flatten();
  auto message = *parse_message<proto::ProduceLogResponse>(body);
  ASSERT_EQ(message.buckets_resp_size(), 2);
  EXPECT_EQ(message.buckets_resp(0).partition_id(), 9);
  EXPECT_EQ(message.buckets_resp(0).base_offset(), 500);
  EXPECT_FALSE(message.buckets_resp(0).has_error_code());
  EXPECT_EQ(message.buckets_resp(1).error_code(), -1);
  EXPECT_EQ(message.buckets_resp(1).error_message(), "broken");
  EXPECT_EQ(message.buckets_resp(1).original_partition_name(), "p");
  EXPECT_EQ(to_hex(slice_of(message).view()), to_hex(body.view()));

  ProduceLogResponse read = *ProduceLogResponse::decode(body);
  EXPECT_EQ(read.buckets[0].base_offset, model::Offset(500));
  EXPECT_EQ(read.buckets[1].error->code, ErrorCode::kUnknownServerError);
  EXPECT_EQ(read.buckets[1].error->message, "broken");
}

// Every proper prefix of a request is refused as malformed or incomplete; none crashes.
TEST(ProduceLog, TruncatedRequests) {
  Slice body = slice_of(sample_request(20));
  size_t boundary_of_buckets =
      0;  // after the required fields, a prefix that ends between buckets is a request
  for (size_t size = 0; size < body.size(); ++size) {
    auto result = ProduceLogRequest::decode(body.sub(0, size));
    if (result.ok()) {
      ++boundary_of_buckets;
    } else {
      EXPECT_EQ(result.code(), ErrorCode::kUnknownServerError) << size;
    }
  }
  EXPECT_EQ(boundary_of_buckets, 2u);
}

// A missing required field is named; unknown fields of every wire type, and known numbers of another type,
// are skipped.
TEST(ProduceLog, MissingAndUnknownFields) {
  auto message = sample_request(3);
  message.clear_table_id();
  message.mutable_buckets_req(0)->clear_records();
  std::string body;
  message.SerializePartialToString(&body);
  auto missing = ProduceLogRequest::decode(Slice::own(std::move(body)));
  EXPECT_EQ(missing.code(), ErrorCode::kUnknownServerError);
  EXPECT_NE(missing.error().message.find("records"), std::string::npos);

  std::string extended = to_string(slice_of(sample_request(3)).view());
  extended +=
      to_string(from_hex("a006ff01"
                         "a1060102030405060708"
                         "a20603aabbcc"
                         "a50601020304"
                         "0a0141"));
  auto read = ProduceLogRequest::decode(Slice::own(std::move(extended)));
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(read->acks, -1);
  EXPECT_EQ(read->buckets.size(), 2u);
}

// A small request can't make the server hold an unbounded number of entries.
TEST(ProduceLog, EntriesAreBounded) {
  std::string body = to_string(from_hex("080110011801"));
  std::string entry = to_string(from_hex("220410001a00"));
  for (int i = 0; i <= 1 << 17; ++i) body += entry;
  auto result = ProduceLogRequest::decode(Slice::own(std::move(body)));
  EXPECT_EQ(result.code(), ErrorCode::kUnknownServerError);
  EXPECT_NE(result.error().message.find("entries"), std::string::npos);
}

}  // namespace
}  // namespace strom::rpc
