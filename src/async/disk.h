// Disk and File: the local disk. Synchronous, since every user either runs on a Worker already (appends,
// recovery, cold reads) or asks only for what is in the page cache (File::read_cached). Implementations:
// PosixDisk; SimDisk, where a power loss drops what was not synced. Thread-safe: one Disk for the process; a
// File may be read by many threads at once, and is written by one. Errors have the code kLogStorage and name
// the path and the operating system's reason.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"

namespace strom::async {

class File {
 public:
  virtual ~File() = default;

  // Reads up to `into.size()` bytes at `offset`; fewer only at the end of the file.
  virtual Result<size_t> read(uint64_t offset, MutableBytes into) const = 0;
  // The same when all of it can be had without waiting for the disk; nothing when it can't.
  virtual std::optional<Result<size_t>> read_cached(uint64_t offset, MutableBytes into) const = 0;
  // Writes all of `parts`, one after the other, at `offset`.
  virtual Status write(uint64_t offset, std::span<const ByteView> parts) = 0;
  // Cuts the file, or extends it by zeros.
  virtual Status truncate(uint64_t size) = 0;
  // Returns when everything written before is on stable storage. A failure is final: never call it again to
  // find out.
  virtual Status sync() = 0;
  virtual Result<uint64_t> size() const = 0;

  Status write(uint64_t offset, ByteView bytes) { return write(offset, std::span(&bytes, 1)); }
};

enum class OpenMode {
  kRead,       // must exist
  kReadWrite,  // must exist
  kCreate,     // read and write; made when it is not there
};

struct DirectoryEntry {
  std::string name;
  bool is_directory = false;
};

struct DiskSpace {
  uint64_t total_bytes = 0;  // in use or free for this user
  uint64_t free_bytes = 0;   // for this user
};

// Held while a directory is in use by this process; another process that asks gets an error.
class DirectoryLock {
 public:
  virtual ~DirectoryLock() = default;
};

class Disk {
 public:
  virtual ~Disk() = default;

  virtual Result<std::unique_ptr<File>> open(const std::string& path, OpenMode mode) = 0;
  virtual Status rename(const std::string& from, const std::string& to) = 0;
  // Removes a file; fine when it is not there.
  virtual Status remove(const std::string& path) = 0;
  // Removes a directory and all below it; fine when it is not there.
  virtual Status remove_all(const std::string& path) = 0;
  virtual Status create_directories(const std::string& path) = 0;
  // Makes the creation, renaming and removal of the directory's entries durable.
  virtual Status sync_directory(const std::string& path) = 0;
  // Entries sorted by name.
  virtual Result<std::vector<DirectoryEntry>> list(const std::string& path) = 0;
  virtual bool exists(const std::string& path) = 0;
  virtual Result<DiskSpace> space(const std::string& path) = 0;
  // Takes the advisory lock of `path`, a file that is made when it is not there.
  virtual Result<std::unique_ptr<DirectoryLock>> lock(const std::string& path) = 0;

  // The whole content of a small file, at most `limit` bytes.
  Result<Buffer> read_file(const std::string& path, size_t limit = 64 << 20);
  // Replaces a small file: writes `path`.tmp, syncs it, renames it over `path`, syncs the directory.
  Status replace_file(const std::string& path, ByteView content);
};

// "a/b" for ("a", "b"), with one slash between.
std::string join_path(std::string_view directory, std::string_view name);
// "a" for "a/b".
std::string parent_path(std::string_view path);

}  // namespace strom::async
