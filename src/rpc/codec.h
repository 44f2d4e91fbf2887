// Between bodies and generated messages, for all requests but the hot ones (rpc/messages). Any thread.
//     auto request = STROM_CO_TRY(parse_message<proto::CreateTableRequest>(body));
//     co_return reply(response);
#pragma once

#include "rpc/response.h"

namespace google::protobuf {
class MessageLite;
}

namespace strom::rpc {

// Malformed, or a required field missing: kUnknownServerError.
Status parse_into(google::protobuf::MessageLite& message, const Slice& body);

template <class Message>
Result<Message> parse_message(const Slice& body) {
  Message message;
  if (Status status = parse_into(message, body); !status.ok()) return std::move(status).error();
  return message;
}

// All required fields must be set: a response that lacks one is a fault of the program.
Slice serialize_message(const google::protobuf::MessageLite& message);

inline Response reply(const google::protobuf::MessageLite& message) {
  return Response(serialize_message(message));
}

}  // namespace strom::rpc
