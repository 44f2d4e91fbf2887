#include "clock_file.h"

#include <bit>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace strom::app {

namespace {

constexpr off_t kSize = 16;
static_assert(std::endian::native == std::endian::little);

Error refused(const std::string& path, std::string_view reason) {
  return make_error(
      ErrorCode::kInvalidConfig,
      "strom.test.clock-file is {}, which can't be used: {}; expected is a readable file of {} bytes", path,
      reason, kSize);
}

}  // namespace

Result<std::unique_ptr<ClockFile>> ClockFile::open(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return refused(path, std::strerror(errno));
  struct stat facts{};
  void* mapped = MAP_FAILED;
  std::string reason;
  if (::fstat(file, &facts) != 0) {
    reason = std::strerror(errno);
  } else if (facts.st_size < kSize) {
    reason = fmt::format("it has {} bytes", facts.st_size);
  } else {
    mapped = ::mmap(nullptr, kSize, PROT_READ, MAP_SHARED, file, 0);
    if (mapped == MAP_FAILED) reason = std::strerror(errno);
  }
  ::close(file);  // the mapping stays
  if (mapped == MAP_FAILED) return refused(path, reason);
  return std::unique_ptr<ClockFile>(new ClockFile(static_cast<const int64_t*>(mapped)));
}

ClockFile::~ClockFile() { ::munmap(const_cast<int64_t*>(millis_), kSize); }

// std::atomic_ref takes no const object.
int64_t ClockFile::wall_ms() const { return __atomic_load_n(millis_, __ATOMIC_ACQUIRE); }

}  // namespace strom::app
