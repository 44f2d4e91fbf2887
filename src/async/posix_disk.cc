#include "async/posix_disk.h"

#include <algorithm>
#include <cstring>
#include <filesystem>

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/uio.h>
#include <unistd.h>

namespace strom::async {
namespace {

Error system_error(std::string_view what, const std::string& path, int number) {
  return make_error(ErrorCode::kLogStorage, "{} {}: {}", what, path, std::strerror(number));
}

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  int get() const { return fd_; }

 private:
  int fd_;
};

class PosixFile final : public File {
 public:
  PosixFile(int fd, std::string path) : fd_(fd), path_(std::move(path)) {}

  Result<size_t> read(uint64_t offset, MutableBytes into) const override {
    size_t done = 0;
    while (done < into.size()) {
      ssize_t count =
          ::pread(fd_.get(), into.data() + done, into.size() - done, static_cast<off_t>(offset + done));
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) return system_error("can't read", path_, errno);
      if (count == 0) break;
      done += static_cast<size_t>(count);
    }
    return done;
  }

  std::optional<Result<size_t>> read_cached(uint64_t offset, MutableBytes into) const override {
    iovec vector{into.data(), into.size()};
    ssize_t count = ::preadv2(fd_.get(), &vector, 1, static_cast<off_t>(offset), RWF_NOWAIT);
    if (count < 0 || static_cast<size_t>(count) < into.size()) return std::nullopt;
    return Result<size_t>(into.size());
  }

  Status write(uint64_t offset, std::span<const ByteView> parts) override {
    constexpr size_t kMaxParts = 256;
    std::vector<iovec> vectors;
    vectors.reserve(std::min(parts.size(), kMaxParts));
    for (size_t begin = 0; begin < parts.size(); begin += kMaxParts) {
      vectors.clear();
      size_t end = std::min(parts.size(), begin + kMaxParts);
      for (size_t i = begin; i < end; ++i) {
        if (parts[i].empty()) continue;
        vectors.push_back({const_cast<uint8_t*>(parts[i].data()), parts[i].size()});
      }
      STROM_TRY(write_all(offset, vectors));
    }
    return {};
  }

  Status truncate(uint64_t size) override {
    if (::ftruncate(fd_.get(), static_cast<off_t>(size)) != 0)
      return system_error("can't truncate", path_, errno);
    return {};
  }

  Status sync() override {
    if (::fdatasync(fd_.get()) != 0) return system_error("can't sync", path_, errno);
    return {};
  }

  Result<uint64_t> size() const override {
    struct stat info;
    if (::fstat(fd_.get(), &info) != 0) return system_error("can't get the size of", path_, errno);
    return static_cast<uint64_t>(info.st_size);
  }

 private:
  // Writes all vectors, which it uses up, and moves `offset` on.
  Status write_all(uint64_t& offset, std::vector<iovec>& vectors) {
    size_t first = 0;
    while (first < vectors.size()) {
      ssize_t count = ::pwritev(fd_.get(), vectors.data() + first, static_cast<int>(vectors.size() - first),
                                static_cast<off_t>(offset));
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) return system_error("can't write", path_, errno);
      offset += static_cast<uint64_t>(count);
      size_t left = static_cast<size_t>(count);
      while (first < vectors.size() && left >= vectors[first].iov_len) left -= vectors[first++].iov_len;
      if (left > 0) {
        vectors[first].iov_base = static_cast<char*>(vectors[first].iov_base) + left;
        vectors[first].iov_len -= left;
      }
    }
    return {};
  }

  Descriptor fd_;
  std::string path_;
};

class PosixLock final : public DirectoryLock {
 public:
  explicit PosixLock(int fd) : fd_(fd) {}

 private:
  Descriptor fd_;
};

class PosixDisk final : public Disk {
 public:
  Result<std::unique_ptr<File>> open(const std::string& path, OpenMode mode) override {
    int flags = O_CLOEXEC | (mode == OpenMode::kRead ? O_RDONLY : O_RDWR);
    if (mode == OpenMode::kCreate) flags |= O_CREAT;
    int fd = ::open(path.c_str(), flags, 0644);
    if (fd < 0) return system_error("can't open", path, errno);
    return std::unique_ptr<File>(std::make_unique<PosixFile>(fd, path));
  }

  Status rename(const std::string& from, const std::string& to) override {
    if (::rename(from.c_str(), to.c_str()) != 0) return system_error("can't rename to " + to, from, errno);
    return {};
  }

  Status remove(const std::string& path) override {
    if (::unlink(path.c_str()) != 0 && errno != ENOENT) return system_error("can't remove", path, errno);
    return {};
  }

  Status remove_all(const std::string& path) override {
    std::error_code error;
    std::filesystem::remove_all(path, error);
    if (error) return system_error("can't remove", path, error.value());
    return {};
  }

  Status create_directories(const std::string& path) override {
    std::error_code error;
    std::filesystem::create_directories(path, error);
    if (error) return system_error("can't create", path, error.value());
    return {};
  }

  Status sync_directory(const std::string& path) override {
    Descriptor directory(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (directory.get() < 0) return system_error("can't open", path, errno);
    if (::fsync(directory.get()) != 0) return system_error("can't sync", path, errno);
    return {};
  }

  Result<std::vector<DirectoryEntry>> list(const std::string& path) override {
    std::vector<DirectoryEntry> entries;
    std::error_code error;
    auto files = std::filesystem::directory_iterator(path, error);
    if (error) return system_error("can't list", path, error.value());
    for (; files != std::filesystem::directory_iterator(); files.increment(error)) {
      if (error) return system_error("can't list", path, error.value());
      std::error_code no_type;
      entries.push_back({files->path().filename().string(), files->is_directory(no_type)});
    }
    std::ranges::sort(entries, {}, &DirectoryEntry::name);
    return entries;
  }

  bool exists(const std::string& path) override { return ::access(path.c_str(), F_OK) == 0; }

  Result<DiskSpace> space(const std::string& path) override {
    struct statvfs info;
    if (::statvfs(path.c_str(), &info) != 0) return system_error("can't get the free space of", path, errno);
    // As `df` counts: blocks that are kept for others are neither used nor free.
    const uint64_t usable = info.f_blocks - info.f_bfree + info.f_bavail;
    return DiskSpace{usable * info.f_frsize, info.f_bavail * info.f_frsize};
  }

  Result<std::unique_ptr<DirectoryLock>> lock(const std::string& path) override {
    int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (fd < 0) return system_error("can't open", path, errno);
    auto held = std::make_unique<PosixLock>(fd);
    if (::flock(fd, LOCK_EX | LOCK_NB) != 0) {
      return make_error(ErrorCode::kLogStorage,
                        "{} is locked: another process uses this directory; stop it or give this one a "
                        "directory of its own",
                        path);
    }
    return std::unique_ptr<DirectoryLock>(std::move(held));
  }
};

}  // namespace

std::unique_ptr<Disk> make_posix_disk() { return std::make_unique<PosixDisk>(); }

}  // namespace strom::async
