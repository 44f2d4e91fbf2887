// Tree: the nodes in memory and the rules of a commit. Pure: no I/O, no time. Both stores keep their truth in
// one.
#pragma once

#include <list>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "metastore/metastore.h"

namespace strom::metastore {

using SessionId = uint64_t;
inline constexpr SessionId kNoSession = 0;

class Tree {
 public:
  struct Entry {
    Node node;
    SessionId owner = kNoSession;  // of an ephemeral node
    std::set<std::string> children;
  };
  // A node as it is after a commit; no node when it was removed. What a store must make durable.
  struct Change {
    std::string path;
    std::optional<Node> node;
    bool ephemeral = false;
  };

  Tree();

  const Entry* find(const std::string& path) const;

  // Checks all operations and, if none is refused, computes what they change, without changing anything.
  CommitOutcome plan(const std::vector<Operation>& operations, std::vector<Change>& changes) const;
  // Applies what plan() computed and calls the watches of what changed.
  void apply(const std::vector<Change>& changes, SessionId session);
  // Puts a node in place while a store loads, with its parents.
  void load(const std::string& path, Node node);
  // Removes the ephemeral nodes of a session.
  void end_session(SessionId session);

  using WatchId = uint64_t;
  WatchId add_watch(const std::string& path, std::function<void()> changed);
  void remove_watch(WatchId watch);

 private:
  class Overlay;
  void put(const std::string& path, Node node, SessionId owner);
  void erase(const std::string& path);
  void fire(const std::string& path, std::vector<std::function<void()>>& calls);

  std::map<std::string, Entry> entries_;
  std::multimap<std::string, std::pair<WatchId, std::function<void()>>> watches_;
  WatchId last_watch_ = 0;
};

// "/a" for "/a/b", "/" for "/a".
std::string parent_of(const std::string& path);
// "b" for "/a/b".
std::string name_of(const std::string& path);
// A path starts with '/', has no empty part and no '/' at its end.
bool is_valid_path(const std::string& path);

}  // namespace strom::metastore
