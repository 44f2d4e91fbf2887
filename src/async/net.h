// Network: byte streams between hosts. Implementations: AsioNetwork (TCP) and SimNetwork (in memory, with the
// seed's delays and cuts). A Connection lives on one loop; its calls are made there only. At most one read
// and one write are in flight at a time. Errors have the code kNetwork.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "async/deadline.h"
#include "async/task.h"
#include "base/bytes.h"
#include "base/result.h"

namespace strom::async {

struct Address {
  std::string host;  // a name or a number
  int port = 0;
  friend auto operator<=>(const Address&, const Address&) = default;
  std::string to_string() const { return host + ":" + std::to_string(port); }
};

class Connection {
 public:
  virtual ~Connection() = default;
  // At least one byte, or 0 when the other side has closed. An error when the deadline passes.
  virtual Task<Result<size_t>> read(MutableBytes into, Deadline deadline) = 0;
  // All of `parts`, in one vectored call when the system takes it. The slices are kept until it is done.
  virtual Task<Status> write(std::vector<Slice> parts, Deadline deadline) = 0;
  // Ends reads and writes with an error; the other side sees the end. Safe to call twice.
  virtual void close() = 0;
  virtual std::string peer() const = 0;
};

class Listener {
 public:
  virtual ~Listener() = default;
  // The next connection, to be used on `target`, which may be another loop than the listener's. Error after
  // close().
  virtual Task<Result<std::unique_ptr<Connection>>> accept(EventLoop& target) = 0;
  virtual void close() = 0;
  // With the port that the system chose when 0 was asked for.
  virtual Address local() const = 0;
};

class Network {
 public:
  virtual ~Network() = default;
  virtual Result<std::unique_ptr<Listener>> listen(EventLoop& loop, const Address& address) = 0;
  virtual Task<Result<std::unique_ptr<Connection>>> connect(EventLoop& loop, Address address,
                                                            Deadline deadline) = 0;
};

}  // namespace strom::async
