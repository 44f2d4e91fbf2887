// FETCH_LOG: read batches from buckets of some tables; may wait for data. Records go out as the slices that
// they are. Values: they may cross threads. Format: docs/formats/rpc.md, rpc/proto/log.proto. Upstream
// counterpart: FetchLogRequest, FetchLogResponse.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "model/table_bucket.h"
#include "rpc/payload.h"

namespace strom::rpc {

inline constexpr int32_t kReadLocalFirst = 0;
inline constexpr int32_t kReadRemoteFirst = 1;
inline constexpr model::Offset kFetchFromEarliest{-2};

struct FetchLogRequest {
  struct Bucket {
    std::optional<model::PartitionId> partition;
    model::BucketId bucket;
    model::Offset fetch_offset;  // or kFetchFromEarliest
    int32_t max_fetch_bytes = 0;
    std::optional<int32_t> routing_bucket_count;
  };
  struct Table {
    model::TableId table;
    bool projection_enabled = false;
    std::vector<int32_t> projected_fields;  // positions in the table's row
    std::vector<Bucket> buckets;
    std::optional<Slice> filter_predicate;  // an encoded PbPredicate
    std::optional<model::SchemaId> filter_schema;
  };

  model::ServerId follower = model::kNoServer;  // kNoServer: a client
  int32_t max_bytes = 0;
  std::vector<Table> tables;
  std::optional<Millis> max_wait;
  std::optional<int32_t> min_bytes;  // nothing: answer at once
  std::optional<int32_t> read_preference;

  // Malformed, or a required field missing: kUnknownServerError.
  static Result<FetchLogRequest> decode(const Slice& body);
  Payload encode() const;
};

// Where segments that are no longer on the server's disk lie.
struct RemoteLogFetchInfo {
  struct Segment {
    std::string id;
    model::Offset start;
    model::Offset end;
    int32_t size = 0;
    std::optional<model::Timestamp> max_timestamp;
  };
  std::string directory;
  std::optional<std::string> partition_name;
  std::vector<Segment> segments;
  std::optional<int32_t> first_start_position;  // bytes into the first segment
};

struct FetchLogResponse {
  struct Bucket {
    std::optional<model::PartitionId> partition;
    model::BucketId bucket;
    std::optional<Error> error;
    std::optional<model::Offset> high_watermark;
    std::optional<model::Offset> log_start_offset;
    std::optional<RemoteLogFetchInfo> remote;
    std::optional<Payload> records;
    std::optional<model::Offset> filtered_end_offset;
    std::optional<model::Offset> min_retain_offset;
  };
  struct Table {
    model::TableId table;
    std::vector<Bucket> buckets;
  };

  std::vector<Table> tables;

  static Result<FetchLogResponse> decode(const Slice& body);
  Payload encode() const;
};

}  // namespace strom::rpc
