#include "rpc/messages/fetch_log.h"
#include "rpc/messages/wire.h"

namespace strom::rpc {
namespace {

using wire::kBytes;
using wire::kVarint;
using wire::Reader;
using wire::tag;

FetchLogRequest::Bucket read_bucket(Reader reader) {
  FetchLogRequest::Bucket bucket;
  std::optional<int32_t> id;
  std::optional<int64_t> offset;
  std::optional<int32_t> max_bytes;
  while (reader.next()) {
    switch (reader.tag_and_type()) {
      case tag(1, kVarint):
        bucket.partition.emplace(reader.get_int64());
        break;
      case tag(2, kVarint):
        id = reader.get_int32();
        break;
      case tag(3, kVarint):
        offset = reader.get_int64();
        break;
      case tag(4, kVarint):
        max_bytes = reader.get_int32();
        break;
      case tag(5, kVarint):
        bucket.routing_bucket_count = reader.get_int32();
        break;
      default:
        reader.skip();
    }
  }
  bucket.bucket = model::BucketId(wire::required(id, "bucket_id"));
  bucket.fetch_offset = model::Offset(wire::required(offset, "fetch_offset"));
  bucket.max_fetch_bytes = wire::required(max_bytes, "max_fetch_bytes");
  return bucket;
}

FetchLogRequest::Table read_table(Reader reader, const Slice& body) {
  FetchLogRequest::Table table;
  std::optional<int64_t> id;
  std::optional<bool> projection;
  while (reader.next()) {
    switch (reader.tag_and_type()) {
      case tag(1, kVarint):
        id = reader.get_int64();
        break;
      case tag(2, kVarint):
        projection = reader.get_uint64() != 0;
        break;
      case tag(3, kVarint):
        wire::push(table.projected_fields, reader.get_int32());
        break;
      case tag(3, kBytes):
        for (int32_t field : reader.get_packed_int32()) wire::push(table.projected_fields, field);
        break;
      case tag(4, kBytes):
        wire::push(table.buckets, read_bucket(reader.get_message()));
        break;
      case tag(5, kBytes):
        table.filter_predicate = wire::slice_of(body, reader.get_view());
        break;
      case tag(6, kVarint):
        table.filter_schema.emplace(reader.get_int32());
        break;
      default:
        reader.skip();
    }
  }
  table.table = model::TableId(wire::required(id, "table_id"));
  table.projection_enabled = wire::required(projection, "projection_pushdown_enabled");
  return table;
}

FetchLogRequest read_request(const Slice& body) {
  FetchLogRequest request;
  std::optional<int32_t> follower;
  std::optional<int32_t> max_bytes;
  Reader reader = wire::reader_of(body.view());
  while (reader.next()) {
    switch (reader.tag_and_type()) {
      case tag(1, kVarint):
        follower = reader.get_int32();
        break;
      case tag(2, kVarint):
        max_bytes = reader.get_int32();
        break;
      case tag(3, kBytes):
        wire::push(request.tables, read_table(reader.get_message(), body));
        break;
      case tag(4, kVarint):
        request.max_wait = Millis(reader.get_int32());
        break;
      case tag(5, kVarint):
        request.min_bytes = reader.get_int32();
        break;
      case tag(6, kVarint):
        request.read_preference = reader.get_int32();
        break;
      default:
        reader.skip();
    }
  }
  request.follower = model::ServerId(wire::required(follower, "follower_server_id"));
  request.max_bytes = wire::required(max_bytes, "max_bytes");
  return request;
}

}  // namespace

// Found by argument lookup from wire.h, hence not in the anonymous namespace.
template <class Sink>
static void write_fields(Sink& sink, const FetchLogRequest::Bucket& bucket) {
  wire::put(sink, 1, bucket.partition);
  wire::put(sink, 2, bucket.bucket);
  wire::put(sink, 3, bucket.fetch_offset);
  wire::put(sink, 4, bucket.max_fetch_bytes);
  wire::put(sink, 5, bucket.routing_bucket_count);
}

template <class Sink>
static void write_fields(Sink& sink, const FetchLogRequest::Table& table) {
  wire::put(sink, 1, table.table);
  wire::put(sink, 2, table.projection_enabled);
  wire::put_packed(sink, 3, table.projected_fields);
  for (const auto& bucket : table.buckets) wire::put_message(sink, 4, bucket);
  wire::put(sink, 5, table.filter_predicate);
  wire::put(sink, 6, table.filter_schema);
}

template <class Sink>
static void write_fields(Sink& sink, const FetchLogRequest& request) {
  wire::put(sink, 1, request.follower);
  wire::put(sink, 2, request.max_bytes);
  for (const auto& table : request.tables) wire::put_message(sink, 3, table);
  if (request.max_wait) wire::put(sink, 4, static_cast<int32_t>(request.max_wait->count()));
  wire::put(sink, 5, request.min_bytes);
  wire::put(sink, 6, request.read_preference);
}

Result<FetchLogRequest> FetchLogRequest::decode(const Slice& body) {
  return wire::guarded<FetchLogRequest>("FETCH_LOG request", body, read_request);
}
Payload FetchLogRequest::encode() const { return wire::encode(*this); }

}  // namespace strom::rpc
