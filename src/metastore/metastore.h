// Metastore: the cluster's metadata as a tree of small versioned nodes, with ZooKeeper's rules: paths like
// "/a/b", a version per node that counts its changes, atomic multi-operations, ephemeral nodes that go with
// the session that made them, one-shot watches. Which nodes there are is fixed in model/node_paths.h.
// Implementations: EmbeddedMetastore (one process, RocksDB), SimMetastore (simulator); one contract test for
// all. Lives on: the loop it was made for. Upstream counterpart: zk/ZooKeeperClient.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "async/task.h"
#include "base/bytes.h"
#include "base/result.h"

namespace strom::metastore {

inline constexpr int32_t kAnyVersion = -1;

struct Node {
  Buffer data;
  int32_t version = 0;  // 0 when created, one more with each set
};

// One step of a commit.
struct Operation {
  enum class Kind { kCreate, kSet, kPut, kDelete, kDeleteTree, kCheck };
  Kind kind = Kind::kCheck;
  std::string path;
  Buffer data;
  int32_t version = kAnyVersion;
  bool ephemeral = false;

  // A node that must not be there yet. Parents that are missing are made, empty.
  static Operation create(std::string path, Buffer data);
  // The same, gone when this session ends.
  static Operation create_ephemeral(std::string path, Buffer data);
  // Replaces the data of a node that must be there, at `version` if that is given.
  static Operation set(std::string path, Buffer data, int32_t version = kAnyVersion);
  // Creates or replaces.
  static Operation put(std::string path, Buffer data);
  // Removes a node that must be there, at `version` if that is given, without children.
  static Operation remove(std::string path, int32_t version = kAnyVersion);
  // Removes a node and all below it; fine when it is not there.
  static Operation remove_tree(std::string path);
  // Fails unless the node is there, at `version` if that is given: the fence of a coordinator's writes.
  static Operation check(std::string path, int32_t version);
};

enum class CommitFailure { kNone, kNodeExists, kNoNode, kBadVersion, kNotEmpty };

// Whether a commit took place: wholly or not at all. `failed` is the index of the operation that was refused.
struct CommitOutcome {
  CommitFailure failure = CommitFailure::kNone;
  size_t failed = 0;
  bool committed() const { return failure == CommitFailure::kNone; }
};

// A watch is forgotten when this goes away.
class Watch {
 public:
  virtual ~Watch() = default;
};

class Metastore {
 public:
  virtual ~Metastore() = default;

  // Nothing when there is no such node. Reads see every commit that was answered before.
  virtual async::Task<Result<std::optional<Node>>> get(std::string path) = 0;
  // Names (not paths) of the children, sorted; none when there is no such node.
  virtual async::Task<Result<std::vector<std::string>>> children(std::string path) = 0;
  // All or nothing; durable when it is answered. An Error means that it is not known whether it took place.
  virtual async::Task<Result<CommitOutcome>> commit(std::vector<Operation> operations) = 0;

  // Calls `changed` once, at the next change of the node's data, its existence, or the set of its children.
  virtual std::unique_ptr<Watch> watch(std::string path, std::function<void()> changed) = 0;
  // Calls `expired` when the session ends without close(): its ephemeral nodes are gone.
  virtual void on_session_expired(std::function<void()> expired) = 0;
  // Ends the session and its ephemeral nodes. Nothing is called after it.
  virtual async::Task<Status> close() = 0;
};

}  // namespace strom::metastore
