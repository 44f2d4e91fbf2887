// TcpChannel: one connection to a server, with many requests open at a time. Asks for the server's versions
// first. Once the connection is gone, every open and later call fails with kNetwork; the owner makes a new
// channel. Lives on: one loop. Upstream counterpart: netty/client/ServerConnection.
#pragma once

#include <map>
#include <memory>
#include <optional>

#include "async/net.h"
#include "async/scope.h"
#include "rpc/channel.h"
#include "rpc/frame.h"
#include "rpc/frame_input.h"
#include "rpc/output_queue.h"

namespace strom::rpc {

class TcpChannel final : public Channel {
 public:
  struct Options {
    std::string software_name = "strom";
    std::string software_version = "0";
    size_t max_response_size = 256 << 20;
    size_t max_open_requests = 500;
    // Within a response, each read must bring something within this time; so must each write go on.
    async::Duration patience = std::chrono::seconds(30);
  };

  // A connection whose versions are known. close() it before it goes away.
  static async::Task<Result<std::unique_ptr<TcpChannel>>> connect(async::Network& network,
                                                                  async::EventLoop& loop,
                                                                  async::Address address, Options options,
                                                                  async::Deadline deadline);

  async::Task<Result<Slice>> call(ApiKey key, ApiVersion version, Payload body,
                                  async::Deadline deadline) override;
  Result<ApiVersion> highest_version(ApiKey key) const override;

  bool connected() const { return !broken_; }
  // 1 coordinator, 2 tablet server; nothing for a server that is both.
  std::optional<int32_t> server_type() const { return server_type_; }
  // Fails what is open and returns when no call is left.
  async::Task<void> close();

 private:
  struct Open {
    explicit Open(async::EventLoop& loop) : done(loop) {}
    std::optional<Result<Slice>> result;
    async::WaitList done;
  };
  struct Versions {
    ApiVersion min = 0;
    ApiVersion max = 0;
  };

  TcpChannel(async::EventLoop& loop, std::unique_ptr<async::Connection> connection, Options options);
  async::Task<Status> learn_versions(async::Deadline deadline);
  async::Task<Result<Slice>> exchange(ApiKey key, ApiVersion version, Payload body, async::Deadline deadline);
  async::Task<Result<Slice>> wait_for_answer(RequestHeader header, Payload body, async::Deadline deadline);
  async::Task<void> read_responses();
  async::Task<Result<ResponseFrame>> read_response();
  async::Task<void> write_requests();
  Status handle(ResponseFrame frame);
  void fail(const Error& error);

  Options options_;
  std::unique_ptr<async::Connection> connection_;
  FrameInput input_;
  OutputQueue output_;
  async::TaskScope scope_;
  async::WaitList room_;  // an open request has ended
  std::map<RequestId, Open*> open_;
  std::map<int16_t, Versions> versions_;
  std::optional<int32_t> server_type_;
  std::optional<Error> broken_;
  int32_t next_id_ = 0;
  size_t calls_ = 0;
  bool writing_ = false;
};

}  // namespace strom::rpc
