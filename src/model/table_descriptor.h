// TableDescriptor: what a client says about a table when it creates one, and what it reads back.
// Values only, any thread. Written down in docs/formats/json.md. Upstream counterpart:
// metadata/TableDescriptor.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/properties.h"
#include "model/schema.h"

namespace strom::model {

// How rows are spread over buckets.
struct Distribution {
  std::optional<int32_t> bucket_count = std::nullopt;  // absent: the server's default
  std::vector<std::string> bucket_keys = {};           // empty: the client chooses a bucket per batch

  friend bool operator==(const Distribution&, const Distribution&) = default;
};

struct TableDescriptor {
  Schema schema;
  std::optional<std::string> comment = std::nullopt;
  std::vector<std::string> partition_keys = {};
  std::optional<Distribution> distribution = std::nullopt;
  Properties properties = {};         // `table.*`, understood by the servers
  Properties custom_properties = {};  // anything else, kept for clients

  bool has_primary_key() const { return schema.has_primary_key(); }
  bool is_partitioned() const { return !partition_keys.empty(); }
  const std::vector<std::string>& bucket_keys() const;
  std::optional<int32_t> bucket_count() const;

  std::string to_json() const;
  // Parses and normalises; kInvalidTable with what is wrong.
  static Result<TableDescriptor> parse_json(std::string_view json);

  friend bool operator==(const TableDescriptor&, const TableDescriptor&) = default;
};

// Completes the distribution and checks that keys fit together; kInvalidTable otherwise:
// - partition keys are columns, and part of the primary key if there is one;
// - bucket keys are columns, no partition keys, and part of the primary key if there is one;
// - a primary-key table without bucket keys gets the primary key minus the partition keys.
Result<TableDescriptor> normalize(TableDescriptor descriptor);

// Primary key minus partition keys, in the order of the primary key: what keys are encoded from.
std::vector<std::string> physical_primary_key(const Schema& schema,
                                              const std::vector<std::string>& partition_keys);

}  // namespace strom::model
