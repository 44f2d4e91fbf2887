#include "server/convert/names.h"

#include <algorithm>

namespace strom::server {

using model::PhysicalTablePath;
using model::TableBucket;
using model::TablePath;

TablePath table_path(const proto::PbTablePath& message) {
  return {message.database_name(), message.table_name()};
}

void write(const TablePath& path, proto::PbTablePath& message) {
  message.set_database_name(path.database);
  message.set_table_name(path.table);
}

PhysicalTablePath physical_path(const proto::PbPhysicalTablePath& message) {
  PhysicalTablePath path{{message.database_name(), message.table_name()}, std::nullopt};
  if (message.has_partition_name()) path.partition = message.partition_name();
  return path;
}

void write(const PhysicalTablePath& path, proto::PbPhysicalTablePath& message) {
  message.set_database_name(path.path.database);
  message.set_table_name(path.path.table);
  if (path.partition) message.set_partition_name(*path.partition);
}

TableBucket table_bucket(const proto::PbTableBucket& message) {
  TableBucket bucket{model::TableId(message.table_id()), std::nullopt, model::BucketId(message.bucket_id())};
  if (message.has_partition_id()) bucket.partition = model::PartitionId(message.partition_id());
  return bucket;
}

void write(const TableBucket& bucket, proto::PbTableBucket& message) {
  message.set_table_id(bucket.table.value);
  if (bucket.partition) message.set_partition_id(bucket.partition->value);
  message.set_bucket_id(bucket.bucket.value);
}

model::PartitionSpec partition_spec(const proto::PbPartitionSpec& message) {
  model::PartitionSpec spec;
  for (const proto::PbKeyValue& entry : message.partition_key_values()) {
    auto known = std::ranges::find(spec.entries, entry.key(), &std::pair<std::string, std::string>::first);
    if (known != spec.entries.end()) {
      known->second = entry.value();
    } else {
      spec.entries.emplace_back(entry.key(), entry.value());
    }
  }
  return spec;
}

void write(const model::PartitionSpec& spec, proto::PbPartitionSpec& message) {
  for (const auto& [key, value] : spec.entries) {
    proto::PbKeyValue& entry = *message.add_partition_key_values();
    entry.set_key(key);
    entry.set_value(value);
  }
}

}  // namespace strom::server
