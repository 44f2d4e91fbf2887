// Handlers and calls in terms of messages instead of bytes.
//     serve<ApiKey::kDropTable>(dispatcher, [this](RequestContext c, proto::DropTableRequest r) { return
//     drop(c, r); }); serve_as<ProduceLogRequest, ProduceLogResponse>(dispatcher, ApiKey::kProduceLog, ...);
//     auto response = co_await call<ApiKey::kDropTable>(channel, request, deadline);
// A handler is a small copyable callable that returns Task<Result<Response message>>, made by a named
// coroutine that takes its arguments by value. Include the generated header of the messages, too.
#pragma once

#include "rpc/api_messages.h"
#include "rpc/channel.h"
#include "rpc/codec.h"
#include "rpc/dispatcher.h"

namespace strom::rpc {

template <class Message>
Result<Message> decode_body(const Slice& body) {
  if constexpr (requires { Message::decode(body); }) {
    return Message::decode(body);
  } else {
    return parse_message<Message>(body);
  }
}

template <class Message>
Payload encode_body(const Message& message) {
  if constexpr (requires { message.encode(); }) {
    return message.encode();
  } else {
    return serialize_message(message);
  }
}

namespace internal {
template <class Request, class ResponseMessage, class F>
async::Task<Response> handle(F handler, RequestContext context, Slice body) {
  Result<Request> request = decode_body<Request>(body);
  if (!request.ok()) co_return std::move(request).error();
  body = Slice();  // freed as soon as the request lets go of its parts
  Result<ResponseMessage> response = co_await handler(std::move(context), std::move(request).value());
  if (!response.ok()) co_return std::move(response).error();
  co_return encode_body(response.value());
}
}  // namespace internal

template <class Request, class ResponseMessage, class F>
void serve_as(Dispatcher& dispatcher, ApiKey key, F handler) {
  dispatcher.on(key, [handler = std::move(handler)](RequestContext context, Slice body) {
    return internal::handle<Request, ResponseMessage, F>(handler, std::move(context), std::move(body));
  });
}

template <ApiKey kKey, class F>
void serve(Dispatcher& dispatcher, F handler) {
  serve_as<typename ApiMessages<kKey>::Request, typename ApiMessages<kKey>::Response>(dispatcher, kKey,
                                                                                      std::move(handler));
}

// In the highest version that both sides know. `channel` outlives the call.
template <class ResponseMessage, class Request>
async::Task<Result<ResponseMessage>> call_as(Channel& channel, ApiKey key, Request request,
                                             async::Deadline deadline) {
  ApiVersion version = STROM_CO_TRY(channel.highest_version(key));
  Result<Slice> body = co_await channel.call(key, version, encode_body(request), deadline);
  if (!body.ok()) co_return std::move(body).error();
  co_return decode_body<ResponseMessage>(*body);
}

template <ApiKey kKey>
async::Task<Result<typename ApiMessages<kKey>::Response>> call(Channel& channel,
                                                               typename ApiMessages<kKey>::Request request,
                                                               async::Deadline deadline) {
  return call_as<typename ApiMessages<kKey>::Response>(channel, kKey, std::move(request), deadline);
}

}  // namespace strom::rpc
