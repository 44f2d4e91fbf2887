#include "rpc/messages/fetch_log.h"
#include "rpc/messages/wire.h"

namespace strom::rpc {
namespace {

using wire::kBytes;
using wire::kVarint;
using wire::Reader;
using wire::tag;

RemoteLogFetchInfo::Segment read_segment(Reader reader) {
  RemoteLogFetchInfo::Segment segment;
  std::optional<std::string> id;
  std::optional<int64_t> start;
  std::optional<int64_t> end;
  std::optional<int32_t> size;
  while (reader.next()) {
    switch (reader.tag_and_type()) {
      case tag(1, kBytes):
        id = reader.get_string();
        break;
      case tag(2, kVarint):
        start = reader.get_int64();
        break;
      case tag(3, kVarint):
        end = reader.get_int64();
        break;
      case tag(4, kVarint):
        size = reader.get_int32();
        break;
      case tag(5, kVarint):
        segment.max_timestamp.emplace(reader.get_int64());
        break;
      default:
        reader.skip();
    }
  }
  segment.id = wire::required(id, "remote_log_segment_id");
  segment.start = model::Offset(wire::required(start, "remote_log_start_offset"));
  segment.end = model::Offset(wire::required(end, "remote_log_end_offset"));
  segment.size = wire::required(size, "segment_size_in_bytes");
  return segment;
}

RemoteLogFetchInfo read_remote(Reader reader) {
  RemoteLogFetchInfo info;
  std::optional<std::string> directory;
  while (reader.next()) {
    switch (reader.tag_and_type()) {
      case tag(1, kBytes):
        directory = reader.get_string();
        break;
      case tag(2, kBytes):
        info.partition_name = reader.get_string();
        break;
      case tag(3, kBytes):
        wire::push(info.segments, read_segment(reader.get_message()));
        break;
      case tag(4, kVarint):
        info.first_start_position = reader.get_int32();
        break;
      default:
        reader.skip();
    }
  }
  info.directory = wire::required(directory, "remote_log_tablet_dir");
  return info;
}

FetchLogResponse::Bucket read_bucket(Reader reader, const Slice& body) {
  FetchLogResponse::Bucket bucket;
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
        bucket.high_watermark.emplace(reader.get_int64());
        break;
      case tag(6, kVarint):
        bucket.log_start_offset.emplace(reader.get_int64());
        break;
      case tag(7, kBytes):
        bucket.remote = read_remote(reader.get_message());
        break;
      case tag(8, kBytes):
        bucket.records = wire::slice_of(body, reader.get_view());
        break;
      case tag(9, kVarint):
        bucket.filtered_end_offset.emplace(reader.get_int64());
        break;
      case tag(10, kVarint):
        bucket.min_retain_offset.emplace(reader.get_int64());
        break;
      default:
        reader.skip();
    }
  }
  bucket.bucket = model::BucketId(wire::required(id, "bucket_id"));
  bucket.error = std::move(error).take();
  return bucket;
}

FetchLogResponse::Table read_table(Reader reader, const Slice& body) {
  FetchLogResponse::Table table;
  std::optional<int64_t> id;
  while (reader.next()) {
    switch (reader.tag_and_type()) {
      case tag(1, kVarint):
        id = reader.get_int64();
        break;
      case tag(2, kBytes):
        wire::push(table.buckets, read_bucket(reader.get_message(), body));
        break;
      default:
        reader.skip();
    }
  }
  table.table = model::TableId(wire::required(id, "table_id"));
  return table;
}

FetchLogResponse read_response(const Slice& body) {
  FetchLogResponse response;
  Reader reader = wire::reader_of(body.view());
  while (reader.next()) {
    switch (reader.tag_and_type()) {
      case tag(1, kBytes):
        wire::push(response.tables, read_table(reader.get_message(), body));
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
static void write_fields(Sink& sink, const RemoteLogFetchInfo::Segment& segment) {
  wire::put(sink, 1, segment.id);
  wire::put(sink, 2, segment.start);
  wire::put(sink, 3, segment.end);
  wire::put(sink, 4, segment.size);
  wire::put(sink, 5, segment.max_timestamp);
}

template <class Sink>
static void write_fields(Sink& sink, const RemoteLogFetchInfo& info) {
  wire::put(sink, 1, info.directory);
  wire::put(sink, 2, info.partition_name);
  for (const auto& segment : info.segments) wire::put_message(sink, 3, segment);
  wire::put(sink, 4, info.first_start_position);
}

template <class Sink>
static void write_fields(Sink& sink, const FetchLogResponse::Bucket& bucket) {
  wire::put(sink, 1, bucket.partition);
  wire::put(sink, 2, bucket.bucket);
  wire::put_error(sink, 3, bucket.error);
  wire::put(sink, 5, bucket.high_watermark);
  wire::put(sink, 6, bucket.log_start_offset);
  if (bucket.remote) wire::put_message(sink, 7, *bucket.remote);
  wire::put(sink, 8, bucket.records);
  wire::put(sink, 9, bucket.filtered_end_offset);
  wire::put(sink, 10, bucket.min_retain_offset);
}

template <class Sink>
static void write_fields(Sink& sink, const FetchLogResponse::Table& table) {
  wire::put(sink, 1, table.table);
  for (const auto& bucket : table.buckets) wire::put_message(sink, 2, bucket);
}

template <class Sink>
static void write_fields(Sink& sink, const FetchLogResponse& response) {
  for (const auto& table : response.tables) wire::put_message(sink, 1, table);
}

Result<FetchLogResponse> FetchLogResponse::decode(const Slice& body) {
  return wire::guarded<FetchLogResponse>("FETCH_LOG response", body, read_response);
}
Payload FetchLogResponse::encode() const { return wire::encode(*this); }

}  // namespace strom::rpc
