// EmbeddedMetastore: the metadata of a one-process server, in a RocksDB directory of its own. A commit is
// synced to disk before it is answered. The tree is also held in memory: reads never touch the disk. On disk:
// one row per node, key = path, value = version (4 bytes, little-endian) and data. Ephemeral nodes are not
// stored. Lives on: the loop it was opened for; writes run on a worker of its own.
#pragma once

#include "async/runtime.h"
#include "metastore/metastore.h"

namespace strom::metastore {

// Opens or creates the store in `directory`. Errors: kLogStorage when the directory can't be opened or is
// damaged.
async::Task<Result<std::unique_ptr<Metastore>>> open_embedded(async::Runtime& runtime, async::EventLoop& loop,
                                                              std::string directory);

}  // namespace strom::metastore
