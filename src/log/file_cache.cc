#include "log/file_cache.h"

namespace strom::log {

std::shared_ptr<async::File> FileCache::find_locked(const std::string& path) {
  auto found = by_path_.find(path);
  if (found == by_path_.end()) return nullptr;
  entries_.splice(entries_.begin(), entries_, found->second);
  return found->second->file;
}

std::shared_ptr<async::File> FileCache::find(const std::string& path) {
  std::lock_guard lock(mutex_);
  return find_locked(path);
}

Result<std::shared_ptr<async::File>> FileCache::open(const std::string& path) {
  uint64_t forgotten = 0;
  {
    std::lock_guard lock(mutex_);
    if (auto file = find_locked(path)) return file;
    forgotten = forgotten_;
  }
  std::shared_ptr<async::File> file = STROM_TRY(disk_.open(path, async::OpenMode::kReadWrite));
  return keep(path, std::move(file), forgotten);
}

Result<std::shared_ptr<async::File>> FileCache::create(const std::string& path) {
  forget(path);
  std::shared_ptr<async::File> file = STROM_TRY(disk_.open(path, async::OpenMode::kCreate));
  STROM_TRY(file->truncate(0));
  return file;
}

std::shared_ptr<async::File> FileCache::keep(const std::string& path, std::shared_ptr<async::File> file,
                                             uint64_t forgotten) {
  std::list<Entry> dropped;  // closed after the lock is released
  std::lock_guard lock(mutex_);
  if (auto other = find_locked(path)) return other;  // another thread opened it meanwhile
  // What was opened may have been renamed or removed since: then the path means another file by now.
  if (forgotten != forgotten_) return file;
  entries_.push_front({path, file});
  by_path_[path] = entries_.begin();
  while (entries_.size() > max_open_) {
    by_path_.erase(entries_.back().path);
    dropped.splice(dropped.begin(), entries_, std::prev(entries_.end()));
  }
  return file;
}

void FileCache::forget(const std::string& path) {
  std::shared_ptr<async::File> closed;
  std::lock_guard lock(mutex_);
  ++forgotten_;
  auto found = by_path_.find(path);
  if (found == by_path_.end()) return;
  closed = std::move(found->second->file);
  entries_.erase(found->second);
  by_path_.erase(found);
}

void FileCache::forget_below(const std::string& directory) {
  std::list<Entry> closed;
  std::lock_guard lock(mutex_);
  ++forgotten_;
  for (auto entry = entries_.begin(); entry != entries_.end();) {
    auto next = std::next(entry);
    if (async::parent_path(entry->path) == directory) {
      by_path_.erase(entry->path);
      closed.splice(closed.end(), entries_, entry);
    }
    entry = next;
  }
}

size_t FileCache::open_files() const {
  std::lock_guard lock(mutex_);
  return entries_.size();
}

}  // namespace strom::log
