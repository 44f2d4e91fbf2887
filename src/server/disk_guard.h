// DiskGuard: keeps the data disk from filling up. Above one share of use it refuses the writes of clients,
// with an error that they retry; reads and deletions go on; below another share writes are taken again. Pure;
// lives on: the home shard. Upstream counterpart: server/storage/LocalDiskManager (write limit).
#pragma once

#include "async/disk.h"

namespace strom::server {

class DiskGuard {
 public:
  // server.data-disk.write-limit-ratio and .write-recover-ratio.
  DiskGuard(double limit, double recover) : limit_(limit), recover_(recover) {}

  // Takes a look at the disk; true when what locked() says has changed.
  bool update(const async::DiskSpace& space);
  bool locked() const { return locked_; }
  double used() const { return used_; }  // share of the disk, 0 to 1

 private:
  double limit_;
  double recover_;
  double used_ = 0;
  bool locked_ = false;
};

}  // namespace strom::server
