#include "rpc/tcp_channel.h"

#include <algorithm>

#include "rpc/codec.h"
#include "rpc/proto/connection.pb.h"
#include "rpc/yield.h"

namespace strom::rpc {

using async::Deadline;
using async::Task;
using async::WaitResult;

Task<Result<std::unique_ptr<TcpChannel>>> TcpChannel::connect(async::Network& network, async::EventLoop& loop,
                                                              async::Address address, Options options,
                                                              Deadline deadline) {
  auto connection = STROM_CO_TRY(co_await network.connect(loop, address, deadline));
  std::unique_ptr<TcpChannel> channel(new TcpChannel(loop, std::move(connection), std::move(options)));
  Status status = co_await channel->learn_versions(deadline);
  if (!status.ok()) {
    co_await channel->close();
    co_return make_error(status.code(), "{} does not answer as a Fluss server: {}", address.to_string(),
                         status.error().message);
  }
  co_return std::move(channel);
}

TcpChannel::TcpChannel(async::EventLoop& loop, std::unique_ptr<async::Connection> connection, Options options)
    : options_(std::move(options)),
      connection_(std::move(connection)),
      input_(*connection_),
      scope_(loop),
      room_(loop) {
  scope_.spawn(read_responses());
}

Task<Status> TcpChannel::learn_versions(Deadline deadline) {
  proto::ApiVersionsRequest request;
  request.set_client_software_name(options_.software_name);
  request.set_client_software_version(options_.software_version);
  Slice body = STROM_CO_TRY(co_await exchange(ApiKey::kApiVersions, 0, serialize_message(request), deadline));
  auto response = STROM_CO_TRY(parse_message<proto::ApiVersionsResponse>(body));
  for (const auto& api : response.api_versions()) {
    versions_[static_cast<int16_t>(api.api_key())] = {static_cast<ApiVersion>(api.min_version()),
                                                      static_cast<ApiVersion>(api.max_version())};
  }
  if (response.has_server_type()) server_type_ = response.server_type();
  co_return Status();
}

Result<ApiVersion> TcpChannel::highest_version(ApiKey key) const {
  const ApiRow& ours = api_row(key);
  auto theirs = versions_.find(static_cast<int16_t>(key));
  if (theirs == versions_.end()) {
    return make_error(ErrorCode::kUnsupportedVersion, "{} does not serve {}", connection_->peer(), key);
  }
  ApiVersion highest = std::min(ours.max_version, theirs->second.max);
  if (highest < ours.min_version || highest < theirs->second.min) {
    return make_error(ErrorCode::kUnsupportedVersion, "{} serves {} in versions {} to {}, expected {} to {}",
                      connection_->peer(), key, theirs->second.min, theirs->second.max, ours.min_version,
                      ours.max_version);
  }
  return highest;
}

Task<Result<Slice>> TcpChannel::call(ApiKey key, ApiVersion version, Payload body, Deadline deadline) {
  auto theirs = versions_.find(static_cast<int16_t>(key));
  if (theirs == versions_.end() || version < theirs->second.min || version > theirs->second.max) {
    co_return make_error(ErrorCode::kUnsupportedVersion, "{} does not serve {} version {}",
                         connection_->peer(), key, version);
  }
  co_return co_await exchange(key, version, std::move(body), deadline);
}

Task<Result<Slice>> TcpChannel::exchange(ApiKey key, ApiVersion version, Payload body, Deadline deadline) {
  ++calls_;
  WaitResult room = WaitResult::kReady;
  while (!broken_ && open_.size() >= options_.max_open_requests && room == WaitResult::kReady) {
    room = co_await room_.wait(deadline);
  }
  Result<Slice> result = make_error(ErrorCode::kRequestTimeOut, "{} of {} are open to {}", open_.size(),
                                    options_.max_open_requests, connection_->peer());
  if (broken_) {
    result = *broken_;
  } else if (room == WaitResult::kReady) {
    RequestHeader header{
        .api_key = static_cast<int16_t>(key), .version = version, .id = RequestId(next_id_++)};
    result = co_await wait_for_answer(header, std::move(body), deadline);
  }
  --calls_;
  room_.notify_all();
  co_return result;
}

Task<Result<Slice>> TcpChannel::wait_for_answer(RequestHeader header, Payload body, Deadline deadline) {
  Open open(scope_.loop());
  open_.emplace(header.id, &open);
  output_.add(encode_request(header, body));
  if (!writing_) writing_ = scope_.spawn(write_requests());
  WaitResult waited = WaitResult::kReady;
  while (!open.result && waited == WaitResult::kReady) waited = co_await open.done.wait(deadline);
  open_.erase(header.id);  // an answer that comes later is dropped
  if (open.result) co_return *std::move(open.result);
  if (waited == WaitResult::kStopped)
    co_return make_error(ErrorCode::kNetwork, "the caller is shutting down");
  co_return make_error(ErrorCode::kRequestTimeOut, "no answer to {} from {} in time", ApiKey(header.api_key),
                       connection_->peer());
}

// Requests that are made in one turn of the loop leave in one write.
Task<void> TcpChannel::write_requests() {
  co_await Yield{scope_.loop()};
  while (!output_.empty() && !broken_) {
    Status written = co_await connection_->write(
        output_.take(), Deadline::after(scope_.loop(), options_.patience, &scope_.stop_source()));
    if (!written.ok()) fail(written.error());
  }
  writing_ = false;
}

Task<void> TcpChannel::read_responses() {
  while (!broken_) {
    Result<ResponseFrame> frame = co_await read_response();
    Status status = frame.ok() ? handle(std::move(*frame)) : Status(frame.error());
    if (!status.ok()) fail(status.error());
  }
}

Task<Result<ResponseFrame>> TcpChannel::read_response() {
  Deadline forever = Deadline::until_stopped(scope_.stop_source());
  while (input_.buffered().size() < kFrameLengthSize) {
    size_t count = STROM_CO_TRY(co_await input_.read_more(forever));
    if (count == 0)
      co_return make_error(ErrorCode::kNetwork, "{} closed the connection", connection_->peer());
  }
  Result<size_t> size =
      decode_response_length(input_.buffered().first<kFrameLengthSize>(), options_.max_response_size);
  if (!size.ok()) co_return Error{ErrorCode::kNetwork, size.error().message};
  input_.consume(kFrameLengthSize);
  SharedBuffer frame(*size);
  Status read =
      co_await input_.read_exactly(frame.bytes(), scope_.loop(), options_.patience, &scope_.stop_source());
  if (!read.ok()) co_return read.error();
  co_return decode_response(Slice(frame));
}

Status TcpChannel::handle(ResponseFrame frame) {
  if (frame.type == ResponseType::kServerFailure) {
    Error error = decode_error(frame.body.view());
    return make_error(ErrorCode::kNetwork, "{} gave up the connection: {}", connection_->peer(),
                      error.message);
  }
  auto found = open_.find(frame.id);
  if (found == open_.end()) return {};
  if (frame.type == ResponseType::kSuccess) {
    found->second->result = std::move(frame.body);
  } else {
    found->second->result = decode_error(frame.body.view());
  }
  found->second->done.notify_all();
  return {};
}

void TcpChannel::fail(const Error& error) {
  if (broken_) return;
  broken_ = error;
  connection_->close();
  for (auto& [id, open] : open_) {
    if (!open->result) open->result = error;
    open->done.notify_all();
  }
  room_.notify_all();
}

Task<void> TcpChannel::close() {
  fail(make_error(ErrorCode::kNetwork, "the connection to {} was closed here", connection_->peer()));
  co_await scope_.stop();
  while (calls_ > 0) co_await room_.wait(Deadline{});
}

}  // namespace strom::rpc
