// Runtime: all that a server takes from its surroundings: loops, workers, disk, network, time, chance. The
// server is given one and asks nobody else, so that the same code runs on a machine (SystemRuntime) and in
// the simulator (SimHost).
#pragma once

#include <memory>
#include <random>
#include <string>

#include "async/disk.h"
#include "async/event_loop.h"
#include "async/net.h"
#include "async/worker.h"
#include "base/clock.h"

namespace strom::async {

class Runtime {
 public:
  virtual ~Runtime() = default;
  virtual size_t shards() const = 0;
  virtual EventLoop& loop(size_t shard) = 0;
  virtual Network& network() = 0;
  virtual Disk& disk() = 0;
  // For blocking calls whose order does not matter.
  virtual Worker& pool() = 0;
  // A new worker with one thread of its own, which keeps the order. `name` shows in thread lists.
  virtual std::unique_ptr<Worker> make_writer(const std::string& name) = 0;
  virtual const Clock& clock() const = 0;
  // A number for jitter and for choosing; the simulator draws it from its seed. Any thread.
  virtual uint64_t random() = 0;
};

}  // namespace strom::async
