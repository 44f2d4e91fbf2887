// SimDisk: the disk of a simulated machine. Contents and names are durable only after File::sync and
// Disk::sync_directory; a power loss keeps a choice of the seed of what came after. Directories themselves
// are durable at once. Faults: a failing write or sync, a full disk, a flipped bit.
#pragma once

#include <map>
#include <set>

#include "async/disk.h"

namespace strom::async {

class SimWorld;

class SimDiskImage {
 public:
  explicit SimDiskImage(SimWorld& world) : world_(world) {}

  // The disk as one process sees it: all calls fail once `*crashed`.
  std::unique_ptr<Disk> open_for(std::shared_ptr<bool> crashed);

  void lose_power();
  void unlock_all() { locks_.clear(); }

  // Faults, in force until changed.
  void set_capacity(uint64_t bytes) { capacity_ = bytes; }
  void fail_next_sync() { fail_next_sync_ = true; }
  void flip_bit(const std::string& path, uint64_t byte, int bit);
  uint64_t used_bytes() const;
  std::vector<std::string> files() const;

 private:
  friend class SimDisk;
  friend class SimFile;

  struct Change {  // a write, or a truncation when `cut`
    uint64_t offset = 0;
    Buffer bytes;
    bool cut = false;
  };
  struct Inode {
    Buffer current;
    Buffer durable;
    std::vector<Change> unsynced;
  };
  struct NamedInode {
    std::string path;
    std::shared_ptr<Inode> before;  // null: nothing stood there
    std::shared_ptr<Inode> now;     // null: removed
  };
  struct NameChange {  // happens as a whole, and is durable when `directory` is synced
    std::string directory;
    std::vector<NamedInode> names;
    std::string gone;  // the directory that was removed or renamed by it
  };

  static void apply(Buffer& content, const Change& change);
  void lose_unsynced(Inode& inode);
  std::shared_ptr<Inode> at(const std::string& path) const;
  void change_names(NameChange change);
  void set_name(const std::string& path, std::shared_ptr<Inode> inode);
  void make_durable(const NameChange& change);
  void sync_names(const std::string& directory);

  SimWorld& world_;
  std::map<std::string, std::shared_ptr<Inode>> names_;
  std::map<std::string, std::shared_ptr<Inode>> durable_names_;
  std::vector<NameChange> unsynced_names_;
  std::set<std::string> directories_;
  std::set<std::string> locks_;
  uint64_t capacity_ = UINT64_MAX;
  bool fail_next_sync_ = false;
};

}  // namespace strom::async
