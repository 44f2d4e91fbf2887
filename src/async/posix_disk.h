// PosixDisk: the operating system's files.
#pragma once

#include "async/disk.h"

namespace strom::async {

std::unique_ptr<Disk> make_posix_disk();

}  // namespace strom::async
