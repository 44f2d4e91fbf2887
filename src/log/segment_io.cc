#include "log/segment_io.h"

namespace strom::log {

Status SegmentIo::read(const std::string& path, uint64_t offset, MutableBytes into) {
  const Error miss{ErrorCode::kLogStorage, "the data is not in memory"};
  if (path != last_path_ || last_file_ == nullptr) {
    last_file_ = mode_ == Mode::kCached ? files_.find(path) : STROM_TRY(files_.open(path));
    last_path_ = path;
  }
  if (last_file_ == nullptr) return missed_ = true, miss;
  if (mode_ == Mode::kCached) {
    std::optional<Result<size_t>> count = last_file_->read_cached(offset, into);
    if (!count || !count->ok() || **count < into.size()) return missed_ = true, miss;
    return {};
  }
  size_t count = STROM_TRY(last_file_->read(offset, into));
  if (count == into.size()) return {};
  return damage(make_error(ErrorCode::kLogStorage, "{} ends at {}, expected {} bytes at {}", path,
                           offset + count, into.size(), offset));
}

}  // namespace strom::log
