// The bounds of the request layer. Each names the option that sets it, or stands for itself.
#pragma once

#include <chrono>
#include <cstddef>

#include "async/event_loop.h"

namespace strom::rpc {

struct Limits {
  // Of a request frame: netty.server.max-request-size.
  size_t max_request_size = 100 << 20;
  // Requests of one connection that were started and not yet answered; at this number it is not read from:
  // netty.server.max-queued-requests.
  size_t max_requests_per_connection = 500;
  // Bytes of answers that a client has not taken; beyond this its requests are not read.
  size_t max_output_backlog = 8 << 20;
  // A connection without traffic and without open requests is closed: netty.connection.max-idle-time.
  async::Duration max_idle = std::chrono::minutes(10);
  // Within a frame, each read must bring something within this time; so must the client take something of its
  // answers.
  async::Duration patience = std::chrono::seconds(30);
  // After this time a request's waits end.
  async::Duration request_timeout = std::chrono::minutes(2);

  // Of one shard:
  size_t max_connections = 5000;
  // Requests with data and all others have reserves of their own: those that wait for replicas must not keep
  // out those that bring the replicas forward.
  size_t write_bytes = 256 << 20;
  size_t other_bytes = 64 << 20;
  size_t max_requests = 50'000;  // in each of the two
};

}  // namespace strom::rpc
