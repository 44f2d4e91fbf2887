#include "async/sim_net.h"

#include <deque>

#include "async/sim.h"
#include "async/wait_list.h"

namespace strom::async {

namespace {

constexpr size_t kWindow = 256 << 10;  // bytes on the way and unread, per direction

Error net_error(std::string_view what, const std::string& peer, std::string_view reason) {
  return make_error(ErrorCode::kNetwork, "{} {}: {}", what, peer, reason);
}

}  // namespace

// One direction of a connection.
struct SimPipe {
  SimPipe(std::string source, std::string target, EventLoop& writer, EventLoop& reader)
      : from(std::move(source)), to(std::move(target)), readable(reader), writable(writer) {}

  void break_now() {
    broken = true;
    readable.notify_all();
    writable.notify_all();
  }

  std::string from;
  std::string to;
  std::deque<uint8_t> arrived;
  size_t in_flight = 0;
  bool ended = false;   // the writer has closed and all has arrived
  bool broken = false;  // lost: both ends get errors
  Instant last_arrival{};
  WaitList readable;
  WaitList writable;
};

class SimConnection final : public Connection {
 public:
  SimConnection(SimFabric& fabric, std::shared_ptr<SimPipe> in, std::shared_ptr<SimPipe> out,
                std::shared_ptr<bool> crashed, std::string peer)
      : fabric_(fabric),
        in_(std::move(in)),
        out_(std::move(out)),
        crashed_(std::move(crashed)),
        peer_(std::move(peer)) {}
  ~SimConnection() override { close(); }

  Task<Result<size_t>> read(MutableBytes into, Deadline deadline) override {
    while (true) {
      if (*crashed_ || in_->broken || closed_)
        co_return net_error("read from", peer_, "the connection is broken");
      if (!in_->arrived.empty()) break;
      if (in_->ended) co_return size_t{0};
      WaitResult result = co_await in_->readable.wait(deadline);
      if (result != WaitResult::kReady) co_return net_error("read from", peer_, "the wait ended");
    }
    size_t count = std::min(into.size(), in_->arrived.size());
    if (count > 1 && fabric_.world_.chance(0.3)) count = fabric_.world_.random(1, count);
    std::copy_n(in_->arrived.begin(), count, into.begin());
    in_->arrived.erase(in_->arrived.begin(), in_->arrived.begin() + static_cast<ptrdiff_t>(count));
    in_->writable.notify_all();
    co_return count;
  }

  Task<Status> write(std::vector<Slice> parts, Deadline deadline) override {
    for (const Slice& part : parts) {
      size_t sent = 0;
      while (sent < part.size()) {
        if (*crashed_ || out_->broken || closed_)
          co_return net_error("write to", peer_, "the connection is broken");
        size_t used = out_->in_flight + out_->arrived.size();
        if (used >= kWindow) {
          WaitResult result = co_await out_->writable.wait(deadline);
          if (result != WaitResult::kReady) co_return net_error("write to", peer_, "the wait ended");
          continue;
        }
        size_t count = std::min(part.size() - sent, kWindow - used);
        send(part.view().subspan(sent, count));
        sent += count;
      }
    }
    co_return Status();
  }

  void close() override {
    if (std::exchange(closed_, true)) return;
    in_->readable.notify_all();
    out_->writable.notify_all();
    out_->last_arrival = std::max(out_->last_arrival, fabric_.world_.now() + fabric_.delay());
    fabric_.world_.schedule(out_->last_arrival, [pipe = out_] {
      pipe->ended = true;
      pipe->readable.notify_all();
    });
  }

  std::string peer() const override { return peer_; }

 private:
  void send(ByteView bytes) {
    out_->in_flight += bytes.size();
    out_->last_arrival = std::max(out_->last_arrival, fabric_.world_.now() + fabric_.delay());
    fabric_.world_.schedule(out_->last_arrival, [pipe = out_, data = Buffer(bytes.begin(), bytes.end())] {
      pipe->in_flight -= data.size();
      if (pipe->broken) return;
      pipe->arrived.insert(pipe->arrived.end(), data.begin(), data.end());
      pipe->readable.notify_all();
    });
  }

  SimFabric& fabric_;
  std::shared_ptr<SimPipe> in_;
  std::shared_ptr<SimPipe> out_;
  std::shared_ptr<bool> crashed_;
  std::string peer_;
  bool closed_ = false;
};

class SimListener final : public Listener {
 public:
  struct Arrival {
    std::string machine;
    EventLoop* loop;
    std::function<void(std::shared_ptr<SimPipe> in, std::shared_ptr<SimPipe> out)> connected;
  };

  SimListener(SimFabric& fabric, EventLoop& loop, Address local, std::shared_ptr<bool> crashed)
      : fabric_(fabric), local_(std::move(local)), crashed_(std::move(crashed)), changed_(loop) {
    fabric_.listeners_[local_] = this;
  }
  ~SimListener() override { close(); }

  Task<Result<std::unique_ptr<Connection>>> accept(EventLoop& target) override {
    while (queue_.empty() && !closed_ && !*crashed_) co_await changed_.wait(Deadline{});
    if (closed_ || *crashed_) co_return net_error("accept on", local_.to_string(), "the listener is closed");
    Arrival arrival = std::move(queue_.front());
    queue_.pop_front();
    auto to_server = std::make_shared<SimPipe>(arrival.machine, local_.host, *arrival.loop, target);
    auto to_client = std::make_shared<SimPipe>(local_.host, arrival.machine, target, *arrival.loop);
    fabric_.pipes_.push_back(to_server);
    fabric_.pipes_.push_back(to_client);
    arrival.connected(to_client, to_server);
    co_return std::unique_ptr<Connection>(
        std::make_unique<SimConnection>(fabric_, to_server, to_client, crashed_, arrival.machine));
  }

  void close() override {
    if (std::exchange(closed_, true)) return;
    auto found = fabric_.listeners_.find(local_);
    if (found != fabric_.listeners_.end() && found->second == this) fabric_.listeners_.erase(found);
    changed_.notify_all();
  }
  Address local() const override { return local_; }

  void arrive(Arrival arrival) {
    queue_.push_back(std::move(arrival));
    changed_.notify_all();
  }
  void wake() { changed_.notify_all(); }

 private:
  SimFabric& fabric_;
  Address local_;
  std::shared_ptr<bool> crashed_;
  WaitList changed_;
  std::deque<Arrival> queue_;
  bool closed_ = false;
};

class SimNetwork final : public Network {
 public:
  SimNetwork(SimFabric& fabric, std::string machine, std::shared_ptr<bool> crashed)
      : fabric_(fabric), machine_(std::move(machine)), crashed_(std::move(crashed)) {}

  Result<std::unique_ptr<Listener>> listen(EventLoop& loop, const Address& address) override {
    Address local{machine_, address.port != 0 ? address.port : fabric_.next_port_++};
    if (fabric_.listeners_.contains(local)) {
      return net_error("can't listen on", local.to_string(), "the address is in use");
    }
    return std::unique_ptr<Listener>(std::make_unique<SimListener>(fabric_, loop, local, crashed_));
  }

  Task<Result<std::unique_ptr<Connection>>> connect(EventLoop& loop, Address address,
                                                    Deadline deadline) override {
    if (address.host == "localhost") address.host = machine_;
    const std::string name = address.to_string();
    co_await sleep_until(loop, Deadline::after(loop, fabric_.delay(), deadline.stop).earlier(deadline.at));
    auto found = fabric_.listeners_.find(address);
    if (*crashed_ || deadline.stopped() || fabric_.is_cut(machine_, address.host) ||
        found == fabric_.listeners_.end()) {
      co_return net_error("can't connect to", name, "connection refused");
    }
    struct Pending {
      explicit Pending(EventLoop& l) : changed(l) {}
      WaitList changed;
      std::shared_ptr<SimPipe> in, out;
    };
    auto pending = std::make_shared<Pending>(loop);
    found->second->arrive({machine_, &loop, [pending](auto in, auto out) {
                             pending->in = std::move(in);
                             pending->out = std::move(out);
                             pending->changed.notify_all();
                           }});
    while (pending->in == nullptr) {
      WaitResult result =
          co_await pending->changed.wait(deadline.earlier(loop.now() + std::chrono::seconds(10)));
      if (result != WaitResult::kReady) co_return net_error("can't connect to", name, "no answer");
    }
    co_return std::unique_ptr<Connection>(
        std::make_unique<SimConnection>(fabric_, pending->in, pending->out, crashed_, name));
  }

 private:
  SimFabric& fabric_;
  std::string machine_;
  std::shared_ptr<bool> crashed_;
};

std::unique_ptr<Network> SimFabric::network_of(const std::string& machine, std::shared_ptr<bool> crashed) {
  return std::make_unique<SimNetwork>(*this, machine, std::move(crashed));
}

bool SimFabric::is_cut(const std::string& a, const std::string& b) const {
  return cuts_.contains({std::min(a, b), std::max(a, b)});
}

Duration SimFabric::delay() {
  // Mostly fast, now and then slow, so that messages of different connections overtake each other.
  return std::chrono::microseconds(world_.chance(0.02) ? world_.random(1'000, 30'000)
                                                       : world_.random(20, 300));
}

void SimFabric::break_pipes(const std::string& a, const std::string& b, bool all_of_a) {
  std::erase_if(pipes_, [](const auto& pipe) { return pipe.expired(); });
  for (const auto& weak : pipes_) {
    auto pipe = weak.lock();
    bool between = (pipe->from == a && pipe->to == b) || (pipe->from == b && pipe->to == a);
    if (between || (all_of_a && (pipe->from == a || pipe->to == a))) pipe->break_now();
  }
}

void SimFabric::cut(const std::string& a, const std::string& b) {
  cuts_.insert({std::min(a, b), std::max(a, b)});
  break_pipes(a, b, false);
}

void SimFabric::heal(const std::string& a, const std::string& b) {
  cuts_.erase({std::min(a, b), std::max(a, b)});
}

void SimFabric::cut_machine(const std::string& machine) {
  break_pipes(machine, machine, true);
  std::vector<SimListener*> listeners;
  for (const auto& [address, listener] : listeners_) {
    if (address.host == machine) listeners.push_back(listener);
  }
  for (SimListener* listener : listeners) listener->close();
}

}  // namespace strom::async
