// SegmentIo: how the reading code reads: on a shard only what is open and in the page cache, on a worker
// whatever is there. The same code runs first in the one way and, if that missed, again in the other. Lives
// on: one caller's stack.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "log/file_cache.h"

namespace strom::log {

class SegmentIo {
 public:
  enum class Mode { kCached, kBlocking };
  SegmentIo(FileCache& files, Mode mode) : files_(files), mode_(mode) {}

  // Fills `into`. An error when the file ends before, and when it can't be read without waiting (see
  // missed()).
  Status read(const std::string& path, uint64_t offset, MutableBytes into);

  // A read would have had to wait: repeat on a worker.
  bool missed() const { return missed_; }
  // What was read can't be: the file is damaged, says the returned error.
  bool damaged() const { return damaged_; }
  // Takes it back: what could not be read is not needed.
  void forgive() { damaged_ = false; }
  Error damage(Error error) {
    damaged_ = true;
    return error;
  }

 private:
  FileCache& files_;
  const Mode mode_;
  bool missed_ = false;
  bool damaged_ = false;
  std::string last_path_;
  std::shared_ptr<async::File> last_file_;
};

}  // namespace strom::log
