#include "server/disk_guard.h"

namespace strom::server {

bool DiskGuard::update(const async::DiskSpace& space) {
  if (space.total_bytes == 0) return false;
  used_ = 1.0 - static_cast<double>(space.free_bytes) / static_cast<double>(space.total_bytes);
  const bool before = locked_;
  if (used_ >= limit_) locked_ = true;
  if (used_ <= recover_) locked_ = false;
  return locked_ != before;
}

}  // namespace strom::server
