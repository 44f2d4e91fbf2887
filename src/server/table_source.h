// StoredTables: a shard's replicas ask it for their tables and schemas. It answers from the shard's metadata
// cache, and from the metadata store what the cache lacks: tables that are only just being created, and older
// schemas. Lives on: one shard.
#pragma once

#include "replica/ports.h"
#include "server/metadata_cache.h"

namespace strom::server {

class Services;

class StoredTables final : public replica::TableSource {
 public:
  explicit StoredTables(const MetadataCache& cache) : cache_(cache) {}
  // To be called before the first request.
  void connect(const Services& services) { services_ = &services; }

  async::Task<Result<std::shared_ptr<const model::TableInfo>>> table(model::TablePath path,
                                                                     model::TableId id) override;
  async::Task<Result<std::shared_ptr<const model::Schema>>> schema(model::TablePath path,
                                                                   model::SchemaId id) override;

 private:
  const MetadataCache& cache_;
  const Services* services_ = nullptr;
};

}  // namespace strom::server
