// MetadataReader: databases, tables, schemas and partitions as the metadata store has them: the truth that
// admin requests read on every server, so that what was just created is found. Lives on: the home shard.
// Upstream counterpart: coordinator/MetadataManager (its reading half).
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "async/task.h"
#include "metastore/metastore.h"
#include "model/assignment.h"
#include "model/registration.h"
#include "model/table_info.h"

namespace strom::server {

// All fail with kLogStorage or kNetwork when the store can't be read, and with kUnknownServerError when a
// node is damaged.
async::Task<Result<std::vector<std::string>>> list_databases(metastore::Metastore& store);
// kDatabaseNotExist.
async::Task<Result<model::DatabaseRegistration>> read_database(metastore::Metastore& store, std::string name);
async::Task<Result<bool>> database_exists(metastore::Metastore& store, std::string name);
// Names of tables, sorted. kDatabaseNotExist.
async::Task<Result<std::vector<std::string>>> list_tables(metastore::Metastore& store, std::string database);
async::Task<Result<bool>> table_exists(metastore::Metastore& store, model::TablePath path);
// With the newest schema. kTableNotExist.
async::Task<Result<std::shared_ptr<const model::TableInfo>>> read_table(metastore::Metastore& store,
                                                                        model::TablePath path);
// `id`: nothing for the newest. kTableNotExist when the table is gone, kSchemaNotExist for an unknown id.
async::Task<Result<model::SchemaInfo>> read_schema(metastore::Metastore& store, model::TablePath path,
                                                   std::optional<model::SchemaId> id);
// By partition name.
async::Task<Result<std::map<std::string, model::PartitionRegistration>>> read_partitions(
    metastore::Metastore& store, model::TablePath path);
// Nothing when there is no such partition.
async::Task<Result<std::optional<model::PartitionRegistration>>> read_partition(metastore::Metastore& store,
                                                                                model::TablePath path,
                                                                                std::string name);

}  // namespace strom::server
