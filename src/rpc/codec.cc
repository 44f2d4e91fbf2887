#include "rpc/codec.h"

#include <google/protobuf/message_lite.h>

namespace strom::rpc {

Status parse_into(google::protobuf::MessageLite& message, const Slice& body) {
  bool well_formed = message.ParsePartialFromArray(body.data(), static_cast<int>(body.size()));
  if (!well_formed) {
    return make_error(ErrorCode::kUnknownServerError, "{} of {} bytes is malformed", message.GetTypeName(),
                      body.size());
  }
  if (!message.IsInitialized()) {
    return make_error(ErrorCode::kUnknownServerError, "{} lacks a required field", message.GetTypeName());
  }
  return {};
}

Slice serialize_message(const google::protobuf::MessageLite& message) {
  STROM_CHECK(message.IsInitialized(), "{} lacks a required field", message.GetTypeName());
  SharedBuffer buffer(message.ByteSizeLong());
  message.SerializeWithCachedSizesToArray(buffer.data());
  return Slice(buffer);
}

}  // namespace strom::rpc
