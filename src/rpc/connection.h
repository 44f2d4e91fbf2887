// ServerConnection: one connection of a client, from the first byte to the last. Reads frames, starts each
// request in the order of arrival, writes the answers in the order in which they are ready.
//
//   socket --read--> FrameInput --frame--> body reserved, read --> Dispatcher --> task --> OutputQueue
//   --write--> socket
//
// Stops reading while the client has too many open requests, does not take its answers, or the shard's memory
// for requests is used up. A frame that can't be one (negative, too short, too long) or stays half: server
// failure, then the end. Lives on: the shard that accepted it. Format: docs/formats/rpc.md. Upstream
// counterpart: NettyServerHandler.
#pragma once

#include <memory>
#include <optional>

#include "async/budget.h"
#include "async/net.h"
#include "async/scope.h"
#include "rpc/dispatcher.h"
#include "rpc/frame.h"
#include "rpc/frame_input.h"
#include "rpc/limits.h"
#include "rpc/metrics.h"
#include "rpc/output_queue.h"

namespace strom::rpc {

// A shard's memory for one class of requests.
struct RequestReserve {
  std::shared_ptr<async::Budget> bytes;
  std::shared_ptr<async::Budget> requests;
};

// What the connections of a shard share. Outlives them.
struct ConnectionShared {
  ConnectionShared(async::EventLoop& loop, const Dispatcher& dispatcher, const Limits& limits,
                   RpcMetrics metrics);
  const RequestReserve& reserve_of(int16_t api_key) const;

  async::EventLoop& loop;
  const Dispatcher& dispatcher;
  Limits limits;
  RpcMetrics metrics;
  RequestReserve writes;
  RequestReserve others;
};

class ServerConnection {
 public:
  ServerConnection(ConnectionShared& shared, std::unique_ptr<async::Connection> connection,
                   std::shared_ptr<const ConnectionInfo> info);

  // Returns when the connection is closed and all its requests have ended; soon after `stop`.
  async::Task<void> serve(async::StopSource& stop);

 private:
  // How reading ends: with the reason of a server failure, or without a word (closed, idle, stopped).
  using End = std::optional<Error>;
  struct Arrival {
    RequestHeader header;
    size_t body_size = 0;
    int64_t at_ns = 0;
  };

  async::Task<End> read_requests(async::StopSource& stop);
  async::Task<bool> wait_for_room(async::StopSource& stop);
  async::Task<bool> wait_for_head(async::StopSource& stop, End& end);
  async::Task<bool> start_request(Arrival arrival, async::StopSource& stop, End& end);
  async::Task<void> run_request(Arrival arrival, Slice body, async::Reservation slot);
  void answer(const Arrival& arrival, int64_t started_ns, const Response& response);
  void send(const Payload& frame);
  async::Task<void> write_output();
  async::Task<void> say_failure(Error error);
  bool has_room() const;
  bool is_idle_at(async::Instant now) const;

  ConnectionShared& shared_;
  std::unique_ptr<async::Connection> connection_;
  std::shared_ptr<const ConnectionInfo> info_;
  FrameInput input_;
  OutputQueue output_;
  async::TaskScope requests_;
  async::TaskScope writer_;
  async::WaitList progress_;  // a request was answered, or output was written
  size_t in_progress_ = 0;
  size_t writing_bytes_ = 0;
  bool writing_ = false;
  bool closed_ = false;  // nothing more is sent
  async::Instant last_activity_;
};

}  // namespace strom::rpc
