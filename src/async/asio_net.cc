#include "async/asio_net.h"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/connect.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <sys/socket.h>
#include <sys/uio.h>

#include "async/asio_loop.h"

namespace strom::async {
namespace {

using boost::asio::ip::tcp;

boost::asio::io_context& context_of(EventLoop& loop) { return static_cast<AsioLoop&>(loop).io_context(); }

Error network_error(std::string_view what, const std::string& peer, std::string_view reason) {
  return make_error(ErrorCode::kNetwork, "{} {}: {}", what, peer, reason);
}

// Waits for the end of one asynchronous call of Asio, `start(handler)`, or for the deadline.
template <class Start>
class OperationAwaiter {
 public:
  OperationAwaiter(EventLoop& loop, Deadline deadline, Start start)
      : loop_(loop), deadline_(deadline), start_(std::move(start)) {}
  bool await_ready() {
    if (!deadline_.stopped()) return false;
    error_ = boost::asio::error::operation_aborted;
    return true;
  }
  void await_suspend(std::coroutine_handle<> handle) {
    if (deadline_.at != Instant::never()) {
      timer_ = loop_.schedule(deadline_.at, [this] {
        timer_ = kNoTimer;
        error_ = boost::asio::error::timed_out;
        signal_.emit(boost::asio::cancellation_type::terminal);
      });
    }
    if (deadline_.stop != nullptr) {
      stop_.arm(
          deadline_.stop,
          [](void* self) {
            static_cast<OperationAwaiter*>(self)->signal_.emit(boost::asio::cancellation_type::terminal);
          },
          this);
    }
    start_(boost::asio::bind_cancellation_slot(
        signal_.slot(), [this, handle](const boost::system::error_code& error, auto&&...) {
          stop_.disarm();
          if (timer_ != kNoTimer) loop_.cancel(timer_);
          if (error_ != boost::asio::error::timed_out) error_ = error;
          handle.resume();
        }));
  }
  boost::system::error_code await_resume() const { return error_; }

 private:
  EventLoop& loop_;
  Deadline deadline_;
  Start start_;
  boost::asio::cancellation_signal signal_;
  StopCallback stop_;
  TimerId timer_ = kNoTimer;
  boost::system::error_code error_;
};

class AsioConnection final : public Connection {
  auto ready(tcp::socket::wait_type type, Deadline deadline) {
    auto start = [this, type](auto handler) { socket_.async_wait(type, std::move(handler)); };
    return OperationAwaiter<decltype(start)>(loop_, deadline, std::move(start));
  }

 public:
  AsioConnection(EventLoop& loop, tcp::socket socket, std::string peer)
      : loop_(loop), socket_(std::move(socket)), peer_(std::move(peer)) {
    boost::system::error_code ignored;
    socket_.native_non_blocking(true, ignored);
    socket_.set_option(tcp::no_delay(true), ignored);
  }

  Task<Result<size_t>> read(MutableBytes into, Deadline deadline) override {
    while (socket_.is_open()) {
      ssize_t count = ::recv(socket_.native_handle(), into.data(), into.size(), 0);
      if (count >= 0) co_return static_cast<size_t>(count);
      if (errno == EINTR) continue;
      if (errno != EAGAIN && errno != EWOULDBLOCK)
        co_return network_error("read from", peer_, std::strerror(errno));
      auto error = co_await ready(tcp::socket::wait_read, deadline);
      if (error) co_return network_error("read from", peer_, error.message());
    }
    co_return network_error("read from", peer_, "the connection is closed");
  }

  Task<Status> write(std::vector<Slice> parts, Deadline deadline) override {
    size_t first = 0;   // the part to go on with
    size_t offset = 0;  // and where in it
    while (first < parts.size()) {
      if (!socket_.is_open()) co_return network_error("write to", peer_, "the connection is closed");
      ssize_t count = send_some(parts, first, offset);
      if (count >= 0) {
        advance(parts, first, offset, static_cast<size_t>(count));
        continue;
      }
      if (errno == EINTR) continue;
      if (errno != EAGAIN && errno != EWOULDBLOCK)
        co_return network_error("write to", peer_, std::strerror(errno));
      auto error = co_await ready(tcp::socket::wait_write, deadline);
      if (error) co_return network_error("write to", peer_, error.message());
    }
    co_return Status();
  }

  void close() override {
    boost::system::error_code ignored;
    socket_.shutdown(tcp::socket::shutdown_both, ignored);
    socket_.close(ignored);
  }

  std::string peer() const override { return peer_; }

 private:
  ssize_t send_some(const std::vector<Slice>& parts, size_t first, size_t offset) {
    constexpr size_t kMaxParts = 64;
    iovec vectors[kMaxParts];
    size_t used = 0;
    for (size_t i = first; i < parts.size() && used < kMaxParts; ++i) {
      ByteView view = parts[i].view().subspan(i == first ? offset : 0);
      vectors[used++] = {const_cast<uint8_t*>(view.data()), view.size()};
    }
    msghdr message{};
    message.msg_iov = vectors;
    message.msg_iovlen = used;
    return ::sendmsg(socket_.native_handle(), &message, MSG_NOSIGNAL);
  }

  static void advance(const std::vector<Slice>& parts, size_t& first, size_t& offset, size_t count) {
    while (first < parts.size() && count >= parts[first].size() - offset) {
      count -= parts[first].size() - offset;
      offset = 0;
      ++first;
    }
    offset += count;
  }

  EventLoop& loop_;
  tcp::socket socket_;
  std::string peer_;
};

std::string name_of(const tcp::endpoint& endpoint) {
  boost::system::error_code error;
  std::string address = endpoint.address().to_string(error);
  return address + ":" + std::to_string(endpoint.port());
}

class AsioListener final : public Listener {
 public:
  AsioListener(EventLoop& loop, tcp::acceptor acceptor, Address local)
      : loop_(loop), acceptor_(std::move(acceptor)), local_(std::move(local)) {}

  Task<Result<std::unique_ptr<Connection>>> accept(EventLoop& target) override {
    tcp::socket socket(context_of(target));
    auto start = [this, &socket](auto handler) { acceptor_.async_accept(socket, std::move(handler)); };
    auto error = co_await OperationAwaiter<decltype(start)>(loop_, Deadline{}, std::move(start));
    if (error) co_return network_error("accept on", local_.to_string(), error.message());
    boost::system::error_code no_peer;
    auto remote = socket.remote_endpoint(no_peer);
    co_return std::unique_ptr<Connection>(std::make_unique<AsioConnection>(
        target, std::move(socket), no_peer ? std::string("unknown") : name_of(remote)));
  }

  void close() override {
    boost::system::error_code ignored;
    acceptor_.close(ignored);
  }

  Address local() const override { return local_; }

 private:
  EventLoop& loop_;
  tcp::acceptor acceptor_;
  Address local_;
};

}  // namespace

Result<std::unique_ptr<Listener>> AsioNetwork::listen(EventLoop& loop, const Address& address) {
  boost::system::error_code error;
  tcp::resolver resolver(context_of(loop));
  auto found = resolver.resolve(address.host, std::to_string(address.port), tcp::resolver::passive, error);
  if (error) return network_error("can't resolve", address.to_string(), error.message());
  tcp::acceptor acceptor(context_of(loop));
  const tcp::endpoint endpoint = *found.begin();
  acceptor.open(endpoint.protocol(), error);
  if (!error) acceptor.set_option(tcp::acceptor::reuse_address(true), error);
  if (!error) acceptor.bind(endpoint, error);
  if (!error) acceptor.listen(1024, error);
  if (error) return network_error("can't listen on", address.to_string(), error.message());
  Address local{address.host, acceptor.local_endpoint().port()};
  return std::unique_ptr<Listener>(
      std::make_unique<AsioListener>(loop, std::move(acceptor), std::move(local)));
}

Task<Result<std::unique_ptr<Connection>>> AsioNetwork::connect(EventLoop& loop, Address address,
                                                               Deadline deadline) {
  tcp::resolver resolver(context_of(loop));
  tcp::resolver::results_type found;
  auto resolve = [&](auto handler) {
    auto slot = boost::asio::get_associated_cancellation_slot(handler);
    resolver.async_resolve(
        address.host, std::to_string(address.port),
        boost::asio::bind_cancellation_slot(
            slot, [&found, inner = std::move(handler)](const auto& error, auto results) mutable {
              found = std::move(results);
              inner.get()(error);
            }));
  };
  auto error = co_await OperationAwaiter<decltype(resolve)>(loop, deadline, std::move(resolve));
  if (error) co_return network_error("can't resolve", address.to_string(), error.message());
  tcp::socket socket(context_of(loop));
  auto connect = [&](auto handler) { boost::asio::async_connect(socket, found, std::move(handler)); };
  error = co_await OperationAwaiter<decltype(connect)>(loop, deadline, std::move(connect));
  if (error) co_return network_error("can't connect to", address.to_string(), error.message());
  co_return std::unique_ptr<Connection>(
      std::make_unique<AsioConnection>(loop, std::move(socket), address.to_string()));
}

}  // namespace strom::async
