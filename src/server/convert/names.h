// Names and ids of tables, partitions and buckets between messages and the words of the model. Pure, any
// thread. Upstream counterpart: utils/ServerRpcMessageUtils (toTablePath, toTableBucket, ...).
#pragma once

#include <optional>
#include <vector>

#include "model/partition.h"
#include "model/table_bucket.h"
#include "model/table_path.h"
#include "rpc/proto/common.pb.h"
#include "rpc/proto/partition.pb.h"

namespace strom::server {

// Names as they came; whoever creates something checks them with validate().
model::TablePath table_path(const proto::PbTablePath& message);
void write(const model::TablePath& path, proto::PbTablePath& message);

model::PhysicalTablePath physical_path(const proto::PbPhysicalTablePath& message);
void write(const model::PhysicalTablePath& path, proto::PbPhysicalTablePath& message);

model::TableBucket table_bucket(const proto::PbTableBucket& message);
void write(const model::TableBucket& bucket, proto::PbTableBucket& message);

// A key that comes twice has its last value, as in a map.
model::PartitionSpec partition_spec(const proto::PbPartitionSpec& message);
void write(const model::PartitionSpec& spec, proto::PbPartitionSpec& message);

// Lists of server ids: replicas, in-sync replicas.
template <class Numbers>
std::vector<model::ServerId> server_ids(const Numbers& numbers) {
  std::vector<model::ServerId> ids;
  ids.reserve(static_cast<size_t>(numbers.size()));
  for (int32_t number : numbers) ids.emplace_back(number);
  return ids;
}
template <class Numbers>
void write(const std::vector<model::ServerId>& ids, Numbers& numbers) {
  for (model::ServerId id : ids) numbers.Add(id.value);
}

}  // namespace strom::server
