#include "metastore/tree.h"

#include "base/check.h"

namespace strom::metastore {

std::string parent_of(const std::string& path) {
  size_t slash = path.rfind('/');
  return slash == 0 ? "/" : path.substr(0, slash);
}

std::string name_of(const std::string& path) { return path.substr(path.rfind('/') + 1); }

bool is_valid_path(const std::string& path) {
  if (path.empty() || path[0] != '/') return false;
  if (path == "/") return true;
  return path.back() != '/' && path.find("//") == std::string::npos;
}

// The tree as it would be after the operations looked at so far.
class Tree::Overlay {
 public:
  explicit Overlay(const Tree& tree) : tree_(tree) {}

  std::optional<Node> get(const std::string& path) const {
    auto changed = changed_.find(path);
    if (changed != changed_.end()) return changed->second.node;
    const Entry* entry = tree_.find(path);
    if (entry == nullptr) return std::nullopt;
    return entry->node;
  }

  std::vector<std::string> children(const std::string& path) const {
    std::set<std::string> names;
    if (const Entry* entry = tree_.find(path)) names = entry->children;
    const std::string prefix = path == "/" ? "/" : path + "/";
    for (auto it = changed_.lower_bound(prefix); it != changed_.end() && it->first.starts_with(prefix);
         ++it) {
      if (it->first.find('/', prefix.size()) != std::string::npos) continue;
      if (it->second.node) {
        names.insert(it->first.substr(prefix.size()));
      } else {
        names.erase(it->first.substr(prefix.size()));
      }
    }
    std::vector<std::string> paths;
    for (const std::string& name : names) paths.push_back(prefix + name);
    return paths;
  }

  void put(const std::string& path, Node node, bool ephemeral) {
    for (std::string parent = parent_of(path); !get(parent); parent = parent_of(parent)) {
      changed_[parent] = Change{parent, Node{}, false};
    }
    changed_[path] = Change{path, std::move(node), ephemeral};
  }

  void erase_tree(const std::string& path) {
    for (const std::string& child : children(path)) erase_tree(child);
    if (get(path)) changed_[path] = Change{path, std::nullopt, false};
  }

  CommitFailure apply(const Operation& operation) {
    auto found = get(operation.path);
    switch (operation.kind) {
      case Operation::Kind::kCreate:
        if (found) return CommitFailure::kNodeExists;
        put(operation.path, {operation.data, 0}, operation.ephemeral);
        return CommitFailure::kNone;
      case Operation::Kind::kPut:
        put(operation.path, {operation.data, found ? found->version + 1 : 0}, false);
        return CommitFailure::kNone;
      case Operation::Kind::kDeleteTree:
        erase_tree(operation.path);
        return CommitFailure::kNone;
      default:
        break;
    }
    if (!found) return CommitFailure::kNoNode;
    if (operation.version != kAnyVersion && operation.version != found->version)
      return CommitFailure::kBadVersion;
    if (operation.kind == Operation::Kind::kSet)
      put(operation.path, {operation.data, found->version + 1}, false);
    if (operation.kind == Operation::Kind::kDelete) {
      if (!children(operation.path).empty()) return CommitFailure::kNotEmpty;
      changed_[operation.path] = Change{operation.path, std::nullopt, false};
    }
    return CommitFailure::kNone;
  }

  std::vector<Change> take() {
    std::vector<Change> changes;
    for (auto& [path, change] : changed_) changes.push_back(std::move(change));
    return changes;
  }

 private:
  const Tree& tree_;
  std::map<std::string, Change> changed_;
};

Tree::Tree() { entries_["/"]; }

const Tree::Entry* Tree::find(const std::string& path) const {
  auto found = entries_.find(path);
  return found == entries_.end() ? nullptr : &found->second;
}

CommitOutcome Tree::plan(const std::vector<Operation>& operations, std::vector<Change>& changes) const {
  Overlay overlay(*this);
  for (size_t i = 0; i < operations.size(); ++i) {
    STROM_CHECK(is_valid_path(operations[i].path), "'{}' is no path of a node", operations[i].path);
    CommitFailure failure = overlay.apply(operations[i]);
    if (failure != CommitFailure::kNone) return {failure, i};
  }
  changes = overlay.take();
  return {};
}

void Tree::put(const std::string& path, Node node, SessionId owner) {
  Entry& entry = entries_[path];
  entry.node = std::move(node);
  if (owner != kNoSession) entry.owner = owner;
  if (path != "/") entries_.at(parent_of(path)).children.insert(name_of(path));
}

void Tree::erase(const std::string& path) {
  entries_.erase(path);
  auto parent = entries_.find(parent_of(path));
  if (parent != entries_.end()) parent->second.children.erase(name_of(path));
}

void Tree::apply(const std::vector<Change>& changes, SessionId session) {
  std::vector<std::function<void()>> calls;
  for (const Change& change : changes) {  // in path order: parents come before their children
    const bool existed = entries_.contains(change.path);
    if (change.node) {
      put(change.path, *change.node, change.ephemeral ? session : kNoSession);
    } else {
      erase(change.path);
    }
    fire(change.path, calls);
    if (existed != change.node.has_value()) fire(parent_of(change.path), calls);
  }
  for (auto& call : calls) call();
}

void Tree::load(const std::string& path, Node node) {
  if (path != "/" && find(parent_of(path)) == nullptr) load(parent_of(path), {});
  put(path, std::move(node), kNoSession);
}

void Tree::end_session(SessionId session) {
  std::vector<Change> changes;
  for (const auto& [path, entry] : entries_) {
    if (entry.owner == session) changes.push_back({path, std::nullopt, true});
  }
  apply(changes, session);
}

Tree::WatchId Tree::add_watch(const std::string& path, std::function<void()> changed) {
  watches_.emplace(path, std::pair(++last_watch_, std::move(changed)));
  return last_watch_;
}

void Tree::remove_watch(WatchId watch) {
  std::erase_if(watches_, [&](const auto& entry) { return entry.second.first == watch; });
}

void Tree::fire(const std::string& path, std::vector<std::function<void()>>& calls) {
  auto [first, last] = watches_.equal_range(path);
  for (auto it = first; it != last; ++it) calls.push_back(std::move(it->second.second));
  watches_.erase(first, last);
}

}  // namespace strom::metastore
