// disk.properties: which disk of which server a data directory is. Pure; any thread.
// Format: Java properties, docs/formats/checkpoint.md. Upstream counterpart:
// server/storage/LocalDiskManager.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "model/ids.h"

namespace strom::log {

struct DiskProperties {
  std::string disk_id;  // a UUID
  model::ServerId server;
};

std::string render_disk_properties(const DiskProperties& properties);
Result<DiskProperties> parse_disk_properties(std::string_view text);

// A random UUID (version 4) of these random bits.
std::string make_disk_id(uint64_t high, uint64_t low);

}  // namespace strom::log
