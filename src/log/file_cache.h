// FileCache: the open files of all logs of a process, least recently used first out. A file that somebody
// still holds stays open after it left the cache, so the bound is on what is kept, not on what is in use.
// Any thread. Upstream has no counterpart: it keeps every segment open.
#pragma once

#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

#include "async/disk.h"

namespace strom::log {

class FileCache {
 public:
  // Keeps up to `max_open` files open. `disk` outlives the cache.
  FileCache(async::Disk& disk, size_t max_open) : disk_(disk), max_open_(max_open) {}

  // The open file, or nothing: never waits for the disk.
  std::shared_ptr<async::File> find(const std::string& path);
  // The open file; opened for reading and writing when it isn't open. It must exist. May block.
  Result<std::shared_ptr<async::File>> open(const std::string& path);
  // The file, empty: made, or cut to nothing. Not kept open. May block.
  Result<std::shared_ptr<async::File>> create(const std::string& path);
  // To be called before a file is renamed or removed, since the next open() means another file.
  void forget(const std::string& path);
  void forget_below(const std::string& directory);

  async::Disk& disk() const { return disk_; }
  size_t open_files() const;

 private:
  struct Entry {
    std::string path;
    std::shared_ptr<async::File> file;
  };
  std::shared_ptr<async::File> find_locked(const std::string& path);
  std::shared_ptr<async::File> keep(const std::string& path, std::shared_ptr<async::File> file,
                                    uint64_t forgotten);

  async::Disk& disk_;
  const size_t max_open_;
  mutable std::mutex mutex_;
  uint64_t forgotten_ = 0;    // calls of forget()
  std::list<Entry> entries_;  // most recently used first
  std::unordered_map<std::string, std::list<Entry>::iterator> by_path_;
};

}  // namespace strom::log
