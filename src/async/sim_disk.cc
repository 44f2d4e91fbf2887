#include "async/sim_disk.h"

#include "async/sim.h"

namespace strom::async {

namespace {

Error disk_error(std::string_view what, const std::string& path, std::string_view reason) {
  return make_error(ErrorCode::kLogStorage, "{} {}: {}", what, path, reason);
}

bool is_below(const std::string& path, const std::string& directory) {
  return path.size() > directory.size() && path.starts_with(directory) && path[directory.size()] == '/';
}

}  // namespace

class SimFile final : public File {
 public:
  SimFile(SimDiskImage& image, std::shared_ptr<SimDiskImage::Inode> inode, std::shared_ptr<bool> crashed,
          std::string path)
      : image_(image), inode_(std::move(inode)), crashed_(std::move(crashed)), path_(std::move(path)) {}

  Result<size_t> read(uint64_t offset, MutableBytes into) const override {
    if (*crashed_) return disk_error("can't read", path_, "the machine has crashed");
    const Buffer& content = inode_->current;
    if (offset >= content.size()) return size_t{0};
    size_t count = std::min<size_t>(into.size(), content.size() - offset);
    std::copy_n(content.begin() + static_cast<ptrdiff_t>(offset), count, into.begin());
    return count;
  }

  std::optional<Result<size_t>> read_cached(uint64_t offset, MutableBytes into) const override {
    if (image_.world_.chance(0.2)) return std::nullopt;
    auto count = read(offset, into);
    if (count.ok() && *count < into.size()) return std::nullopt;
    return count;
  }

  Status write(uint64_t offset, std::span<const ByteView> parts) override {
    if (*crashed_) return disk_error("can't write", path_, "the machine has crashed");
    SimDiskImage::Change change{.offset = offset};
    for (ByteView part : parts) append(change.bytes, part);
    if (image_.used_bytes() + change.bytes.size() > image_.capacity_) {
      return disk_error("can't write", path_, "No space left on device");
    }
    SimDiskImage::apply(inode_->current, change);
    inode_->unsynced.push_back(std::move(change));
    return {};
  }

  Status truncate(uint64_t size) override {
    if (*crashed_) return disk_error("can't truncate", path_, "the machine has crashed");
    SimDiskImage::Change change{.offset = size, .cut = true};
    SimDiskImage::apply(inode_->current, change);
    inode_->unsynced.push_back(std::move(change));
    return {};
  }

  Status sync() override {
    if (*crashed_) return disk_error("can't sync", path_, "the machine has crashed");
    if (std::exchange(image_.fail_next_sync_, false))
      return disk_error("can't sync", path_, "Input/output error");
    inode_->durable = inode_->current;
    inode_->unsynced.clear();
    return {};
  }

  Result<uint64_t> size() const override {
    if (*crashed_) return disk_error("can't get the size of", path_, "the machine has crashed");
    return static_cast<uint64_t>(inode_->current.size());
  }

 private:
  SimDiskImage& image_;
  std::shared_ptr<SimDiskImage::Inode> inode_;
  std::shared_ptr<bool> crashed_;
  std::string path_;
};

class SimLock final : public DirectoryLock {
 public:
  SimLock(std::set<std::string>& locks, std::string path, std::shared_ptr<bool> crashed)
      : locks_(locks), path_(std::move(path)), crashed_(std::move(crashed)) {}
  ~SimLock() override {
    if (!*crashed_) locks_.erase(path_);
  }

 private:
  std::set<std::string>& locks_;
  std::string path_;
  std::shared_ptr<bool> crashed_;
};

class SimDisk final : public Disk {
 public:
  SimDisk(SimDiskImage& image, std::shared_ptr<bool> crashed) : image_(image), crashed_(std::move(crashed)) {}

  Result<std::unique_ptr<File>> open(const std::string& path, OpenMode mode) override {
    STROM_TRY(alive("can't open", path));
    auto found = image_.names_.find(path);
    if (found == image_.names_.end()) {
      if (mode != OpenMode::kCreate) return disk_error("can't open", path, "No such file or directory");
      if (!image_.directories_.contains(parent_path(path))) {
        return disk_error("can't open", path, "No such directory");
      }
      image_.set_name(path, std::make_shared<SimDiskImage::Inode>());
      found = image_.names_.find(path);
    }
    return std::unique_ptr<File>(std::make_unique<SimFile>(image_, found->second, crashed_, path));
  }

  Status rename(const std::string& from, const std::string& to) override {
    STROM_TRY(alive("can't rename", from));
    if (image_.directories_.contains(from)) return rename_directory(from, to);
    auto found = image_.names_.find(from);
    if (found == image_.names_.end()) return disk_error("can't rename", from, "No such file or directory");
    auto inode = found->second;
    image_.change_names({parent_path(to), {{from, inode, nullptr}, {to, image_.at(to), inode}}, ""});
    return {};
  }

  Status remove(const std::string& path) override {
    STROM_TRY(alive("can't remove", path));
    if (image_.names_.contains(path)) image_.set_name(path, nullptr);
    return {};
  }

  Status remove_all(const std::string& path) override {
    STROM_TRY(alive("can't remove", path));
    std::vector<std::string> doomed;
    for (const auto& [name, inode] : image_.names_) {
      if (name == path || is_below(name, path)) doomed.push_back(name);
    }
    SimDiskImage::NameChange whole{parent_path(path), {}, path};
    for (const std::string& name : doomed) {
      whole.names.push_back({name, image_.at(name), nullptr});
      image_.set_name(name, nullptr);
    }
    image_.change_names(std::move(whole));
    std::erase_if(image_.directories_, [&](const std::string& d) { return d == path || is_below(d, path); });
    return {};
  }

  Status create_directories(const std::string& path) override {
    STROM_TRY(alive("can't create", path));
    for (std::string at = path; !at.empty() && at != "/" && at != "."; at = parent_path(at)) {
      image_.directories_.insert(at);
    }
    return {};
  }

  Status sync_directory(const std::string& path) override {
    STROM_TRY(alive("can't sync", path));
    image_.sync_names(path);
    return {};
  }

  Result<std::vector<DirectoryEntry>> list(const std::string& path) override {
    STROM_TRY(alive("can't list", path));
    if (!image_.directories_.contains(path)) return disk_error("can't list", path, "No such directory");
    std::map<std::string, bool> entries;
    for (const auto& [name, inode] : image_.names_) {
      if (parent_path(name) == path) entries[name.substr(path.size() + 1)] = false;
    }
    for (const std::string& name : image_.directories_) {
      if (parent_path(name) == path) entries[name.substr(path.size() + 1)] = true;
    }
    std::vector<DirectoryEntry> listed;
    for (const auto& [name, is_directory] : entries) listed.push_back({name, is_directory});
    return listed;
  }

  bool exists(const std::string& path) override {
    return image_.names_.contains(path) || image_.directories_.contains(path);
  }

  Result<DiskSpace> space(const std::string& path) override {
    STROM_TRY(alive("can't get the free space of", path));
    uint64_t total = std::min<uint64_t>(image_.capacity_, uint64_t{1} << 40);
    return DiskSpace{total, total - std::min(total, image_.used_bytes())};
  }

  Result<std::unique_ptr<DirectoryLock>> lock(const std::string& path) override {
    STROM_TRY(alive("can't lock", path));
    if (!image_.locks_.insert(path).second) return disk_error("can't lock", path, "another process holds it");
    return std::unique_ptr<DirectoryLock>(std::make_unique<SimLock>(image_.locks_, path, crashed_));
  }

 private:
  Status alive(std::string_view what, const std::string& path) const {
    if (*crashed_) return disk_error(what, path, "the machine has crashed");
    return {};
  }

  Status rename_directory(const std::string& from, const std::string& to) {
    SimDiskImage::NameChange change{parent_path(from), {}, from};
    for (const auto& [name, inode] : image_.names_) {
      if (!is_below(name, from)) continue;
      const std::string moved = to + name.substr(from.size());
      change.names.push_back({name, inode, nullptr});
      change.names.push_back({moved, image_.at(moved), inode});
    }
    image_.change_names(std::move(change));
    std::set<std::string> directories;
    for (const std::string& name : image_.directories_) {
      bool moves = name == from || is_below(name, from);
      directories.insert(moves ? to + name.substr(from.size()) : name);
    }
    image_.directories_ = std::move(directories);
    return {};
  }

  SimDiskImage& image_;
  std::shared_ptr<bool> crashed_;
};

std::unique_ptr<Disk> SimDiskImage::open_for(std::shared_ptr<bool> crashed) {
  return std::make_unique<SimDisk>(*this, std::move(crashed));
}

void SimDiskImage::apply(Buffer& content, const Change& change) {
  if (change.cut) {
    content.resize(change.offset);
    return;
  }
  if (content.size() < change.offset + change.bytes.size())
    content.resize(change.offset + change.bytes.size());
  std::ranges::copy(change.bytes, content.begin() + static_cast<ptrdiff_t>(change.offset));
}

std::shared_ptr<SimDiskImage::Inode> SimDiskImage::at(const std::string& path) const {
  auto found = names_.find(path);
  return found == names_.end() ? nullptr : found->second;
}

void SimDiskImage::change_names(NameChange change) {
  for (const NamedInode& name : change.names) {
    if (name.now) {
      names_[name.path] = name.now;
    } else {
      names_.erase(name.path);
    }
  }
  unsynced_names_.push_back(std::move(change));
}

void SimDiskImage::set_name(const std::string& path, std::shared_ptr<Inode> inode) {
  change_names({parent_path(path), {{path, at(path), std::move(inode)}}, ""});
}

void SimDiskImage::make_durable(const NameChange& change) {
  for (const NamedInode& name : change.names) {
    if (name.now) {
      durable_names_[name.path] = name.now;
      continue;
    }
    // What stands there may be newer than the removal, and durable before it.
    auto found = durable_names_.find(name.path);
    if (found != durable_names_.end() && found->second == name.before) durable_names_.erase(found);
  }
}

void SimDiskImage::sync_names(const std::string& directory) {
  std::vector<NameChange> left;
  for (NameChange& change : unsynced_names_) {
    if (change.directory != directory) {
      left.push_back(std::move(change));
      continue;
    }
    make_durable(change);
    if (change.gone.empty()) continue;
    // Nothing that happened before in a directory that is gone for good can come back.
    std::erase_if(left, [&](const NameChange& before) {
      return before.directory == change.gone || is_below(before.directory, change.gone);
    });
  }
  unsynced_names_ = std::move(left);
}

void SimDiskImage::lose_unsynced(Inode& inode) {
  Buffer content = inode.durable;
  // All, none, or some of the later changes reached the disk; the last of them perhaps in part.
  const uint64_t mode = world_.random(0, 3);
  for (Change& change : inode.unsynced) {
    bool kept = mode == 0 || (mode >= 2 && world_.chance(0.5));
    if (!kept) {
      if (mode == 3) continue;  // later changes may still have been written: the disk keeps no order
      break;
    }
    if (!change.cut && mode >= 2 && world_.chance(0.2))
      change.bytes.resize(world_.random(0, change.bytes.size()));
    apply(content, change);
  }
  inode.current = inode.durable = std::move(content);
  inode.unsynced.clear();
}

void SimDiskImage::lose_power() {
  // In each directory the changes up to one of the seed's choice are there, in order; the later ones never
  // happened.
  std::map<std::string, uint64_t> left;
  for (const NameChange& change : unsynced_names_) ++left[change.directory];
  for (auto& [directory, count] : left) count = world_.random(0, count);
  for (const NameChange& change : unsynced_names_) {
    if (left[change.directory] == 0) continue;
    --left[change.directory];
    make_durable(change);
  }
  unsynced_names_.clear();
  names_ = durable_names_;
  // A directory whose removal was lost is there again.
  for (const auto& [name, inode] : names_) {
    for (std::string above = parent_path(name); !above.empty() && above != "/" && above != ".";
         above = parent_path(above)) {
      directories_.insert(above);
    }
  }
  std::set<Inode*> done;
  for (const auto& [name, inode] : names_) {
    if (done.insert(inode.get()).second) lose_unsynced(*inode);
  }
}

void SimDiskImage::flip_bit(const std::string& path, uint64_t byte, int bit) {
  Inode& inode = *names_.at(path);
  inode.current.at(byte) ^= static_cast<uint8_t>(1 << bit);
  if (byte < inode.durable.size()) inode.durable[byte] ^= static_cast<uint8_t>(1 << bit);
}

uint64_t SimDiskImage::used_bytes() const {
  uint64_t used = 0;
  for (const auto& [name, inode] : names_) used += inode->current.size();
  return used;
}

std::vector<std::string> SimDiskImage::files() const {
  std::vector<std::string> paths;
  for (const auto& [name, inode] : names_) paths.push_back(name);
  return paths;
}

}  // namespace strom::async
