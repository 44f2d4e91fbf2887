// PRODUCE_LOG: append batches to buckets of one table. Records stay slices of the request's frame.
// Values: they may cross threads. Format: docs/formats/rpc.md, rpc/proto/log.proto.
// Upstream counterpart: ProduceLogRequest, ProduceLogResponse.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "model/table_bucket.h"
#include "rpc/payload.h"

namespace strom::rpc {

struct ProduceLogRequest {
  struct Bucket {
    std::optional<model::PartitionId> partition;
    model::BucketId bucket;
    Slice records;  // one or more log batches, not looked at yet
    std::optional<std::string> original_partition_name;
    std::optional<int32_t> routing_bucket_count;
  };

  int32_t acks = 0;  // as it came: any number
  model::TableId table;
  Millis timeout{};
  std::vector<Bucket> buckets;

  // Malformed, or a required field missing: kUnknownServerError.
  static Result<ProduceLogRequest> decode(const Slice& body);
  Payload encode() const;
};

struct ProduceLogResponse {
  struct Bucket {
    std::optional<model::PartitionId> partition;
    model::BucketId bucket;
    std::optional<Error> error;  // else base_offset
    std::optional<model::Offset> base_offset;
    std::optional<std::string> original_partition_name;
  };

  std::vector<Bucket> buckets;

  static Result<ProduceLogResponse> decode(const Slice& body);
  Payload encode() const;
};

}  // namespace strom::rpc
