#include "http_port.h"

#include <httplib.h>
#include <nlohmann/json.hpp>

#include "async/thread_worker.h"
#include "base/logging.h"

namespace strom::app {

struct HttpPort::State {
  httplib::Server server;
  async::ThreadWorker thread{1, "strom-http"};  // runs the server's loop until it is stopped
};

HttpPort::HttpPort() = default;

Result<std::unique_ptr<HttpPort>> HttpPort::open(const OptionalHostPort& address,
                                                 const MetricRegistry& metrics,
                                                 std::function<Status()> health) {
  std::unique_ptr<HttpPort> port(new HttpPort());
  if (!address) return port;
  port->state_ = std::make_unique<State>();
  httplib::Server& server = port->state_->server;
  server.new_task_queue = [] { return new httplib::ThreadPool(2); };
  server.Get("/metrics", [&metrics](const httplib::Request&, httplib::Response& response) {
    response.set_content(metrics.render(), "text/plain; version=0.0.4");
  });
  server.Get("/health", [health = std::move(health)](const httplib::Request&, httplib::Response& response) {
    const Status now = health();
    response.status = now.ok() ? 200 : 503;
    const std::string body =
        now.ok() ? nlohmann::json{{"status", "up"}}.dump()
                 : nlohmann::json{{"status", "failed"}, {"reason", now.error().message}}.dump();
    response.set_content(body + "\n", "application/json");
  });
  const bool bound = address->port == 0 ? server.bind_to_any_port(address->host) > 0
                                        : server.bind_to_port(address->host, address->port);
  if (!bound) {
    port->state_.reset();
    return make_error(ErrorCode::kNetwork,
                      "can't listen on {}:{} (strom.http.listen): the address is in use or not allowed",
                      address->host, address->port);
  }
  port->state_->thread.submit([state = port->state_.get()] { state->server.listen_after_bind(); });
  log_info("http", "serves /metrics and /health at http://{}:{}", address->host, address->port);
  return port;
}

HttpPort::~HttpPort() {
  if (state_ == nullptr) return;
  state_->server.stop();
}

}  // namespace strom::app
