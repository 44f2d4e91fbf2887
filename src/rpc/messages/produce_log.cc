#include "rpc/messages/produce_log.h"

#include "rpc/messages/wire.h"

namespace strom::rpc {
namespace {

using wire::kBytes;
using wire::kVarint;
using wire::Reader;
using wire::tag;

ProduceLogRequest::Bucket read_request_bucket(Reader reader, const Slice& body) {
  ProduceLogRequest::Bucket bucket;
  std::optional<int32_t> id;
  std::optional<Slice> records;
  while (reader.next()) {
    switch (reader.tag_and_type()) {
      case tag(1, kVarint):
        bucket.partition.emplace(reader.get_int64());
        break;
      case tag(2, kVarint):
        id = reader.get_int32();
        break;
      case tag(3, kBytes):
        records = wire::slice_of(body, reader.get_view());
        break;
      case tag(4, kBytes):
        bucket.original_partition_name = reader.get_string();
        break;
      case tag(5, kVarint):
        bucket.routing_bucket_count = reader.get_int32();
        break;
      default:
        reader.skip();
    }
  }
  bucket.bucket = model::BucketId(wire::required(id, "bucket_id"));
  bucket.records = wire::required(records, "records");
  return bucket;
}

ProduceLogRequest read_request(const Slice& body) {
  ProduceLogRequest request;
  std::optional<int32_t> acks;
  std::optional<int64_t> table;
  std::optional<int32_t> timeout;
  Reader reader = wire::reader_of(body.view());
  while (reader.next()) {
    switch (reader.tag_and_type()) {
      case tag(1, kVarint):
        acks = reader.get_int32();
        break;
      case tag(2, kVarint):
        table = reader.get_int64();
        break;
      case tag(3, kVarint):
        timeout = reader.get_int32();
        break;
      case tag(4, kBytes):
        wire::push(request.buckets, read_request_bucket(reader.get_message(), body));
        break;
      default:
        reader.skip();
    }
  }
  request.acks = wire::required(acks, "acks");
  request.table = model::TableId(wire::required(table, "table_id"));
  request.timeout = Millis(wire::required(timeout, "timeout_ms"));
  return request;
}

ProduceLogResponse::Bucket read_response_bucket(Reader reader) {
  ProduceLogResponse::Bucket bucket;
  std::optional<int32_t> id;
  wire::BucketError error;
  while (reader.next()) {
    switch (reader.tag_and_type()) {
      case tag(1, kVarint):
        bucket.partition.emplace(reader.get_int64());
        break;
      case tag(2, kVarint):
        id = reader.get_int32();
        break;
      case tag(3, kVarint):
        error.code = reader.get_int32();
        break;
      case tag(4, kBytes):
        error.message = reader.get_string();
        break;
      case tag(5, kVarint):
        bucket.base_offset.emplace(reader.get_int64());
        break;
      case tag(6, kBytes):
        bucket.original_partition_name = reader.get_string();
        break;
      default:
        reader.skip();
    }
  }
  bucket.bucket = model::BucketId(wire::required(id, "bucket_id"));
  bucket.error = std::move(error).take();
  return bucket;
}

ProduceLogResponse read_response(const Slice& body) {
  ProduceLogResponse response;
  Reader reader = wire::reader_of(body.view());
  while (reader.next()) {
    switch (reader.tag_and_type()) {
      case tag(1, kBytes):
        wire::push(response.buckets, read_response_bucket(reader.get_message()));
        break;
      default:
        reader.skip();
    }
  }
  return response;
}

}  // namespace

// Found by argument lookup from wire.h, hence not in the anonymous namespace.
template <class Sink>
static void write_fields(Sink& sink, const ProduceLogRequest::Bucket& bucket) {
  wire::put(sink, 1, bucket.partition);
  wire::put(sink, 2, bucket.bucket);
  wire::put(sink, 3, bucket.records);
  wire::put(sink, 4, bucket.original_partition_name);
  wire::put(sink, 5, bucket.routing_bucket_count);
}

template <class Sink>
static void write_fields(Sink& sink, const ProduceLogRequest& request) {
  wire::put(sink, 1, request.acks);
  wire::put(sink, 2, request.table);
  wire::put(sink, 3, static_cast<int32_t>(request.timeout.count()));
  for (const auto& bucket : request.buckets) wire::put_message(sink, 4, bucket);
}

template <class Sink>
static void write_fields(Sink& sink, const ProduceLogResponse::Bucket& bucket) {
  wire::put(sink, 1, bucket.partition);
  wire::put(sink, 2, bucket.bucket);
  wire::put_error(sink, 3, bucket.error);
  wire::put(sink, 5, bucket.base_offset);
  wire::put(sink, 6, bucket.original_partition_name);
}

template <class Sink>
static void write_fields(Sink& sink, const ProduceLogResponse& response) {
  for (const auto& bucket : response.buckets) wire::put_message(sink, 1, bucket);
}

Result<ProduceLogRequest> ProduceLogRequest::decode(const Slice& body) {
  return wire::guarded<ProduceLogRequest>("PRODUCE_LOG request", body, read_request);
}
Payload ProduceLogRequest::encode() const { return wire::encode(*this); }

Result<ProduceLogResponse> ProduceLogResponse::decode(const Slice& body) {
  return wire::guarded<ProduceLogResponse>("PRODUCE_LOG response", body, read_response);
}
Payload ProduceLogResponse::encode() const { return wire::encode(*this); }

}  // namespace strom::rpc
