// What the metadata store says about databases, tables and partitions: the documents of their nodes.
// Values only, any thread. Written down in docs/formats/nodes.md; their paths are in node_paths.h.
// Upstream counterparts: server/zk/data/{Database,Table,Partition}Registration.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/database_descriptor.h"
#include "model/ids.h"
#include "model/properties.h"
#include "model/table_descriptor.h"

namespace strom::model {

// All parse_json functions here fail with kUnknownServerError: a node that can't be read is the server's
// fault, not the client's. They read every older version; to_json writes the newest.

struct DatabaseRegistration {
  DatabaseDescriptor descriptor;
  Timestamp created = kNoTimestamp;
  Timestamp modified = kNoTimestamp;

  std::string to_json() const;
  static Result<DatabaseRegistration> parse_json(std::string_view json);

  friend bool operator==(const DatabaseRegistration&, const DatabaseRegistration&) = default;
};

// A table without its schema, which is a node of its own.
struct TableRegistration {
  TableId table_id{};
  std::optional<std::string> comment = std::nullopt;
  std::vector<std::string> partition_keys = {};
  std::vector<std::string> bucket_keys = {};
  int32_t bucket_count = 1;
  Properties properties = {};
  Properties custom_properties = {};
  std::optional<std::string> remote_data_dir = std::nullopt;  // absent in old clusters: the server's default
  Timestamp created = kNoTimestamp;
  Timestamp modified = kNoTimestamp;

  // The descriptor must have a bucket count (kInvalidTable): system defaults are applied before.
  static Result<TableRegistration> make(TableId id, const TableDescriptor& descriptor,
                                        std::optional<std::string> remote_data_dir, Timestamp now);
  bool is_partitioned() const { return !partition_keys.empty(); }

  std::string to_json() const;
  static Result<TableRegistration> parse_json(std::string_view json);

  friend bool operator==(const TableRegistration&, const TableRegistration&) = default;
};

struct PartitionRegistration {
  TableId table_id{};
  PartitionId partition_id{};
  std::optional<std::string> remote_data_dir = std::nullopt;

  std::string to_json() const;
  static Result<PartitionRegistration> parse_json(std::string_view json);

  friend bool operator==(const PartitionRegistration&, const PartitionRegistration&) = default;
};

}  // namespace strom::model
