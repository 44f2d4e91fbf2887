// Frames: how requests and responses lie on a connection. Integers are big-endian; `length` does not count
// itself.
//   request    length:4 | key:2 version:2 request id:4 | body                length = 8 + body
//   response   length:4 | type:1 request id:4          | body                length = 5 + body   (success,
//   error)
//              length:4 | type:1                       | ErrorResponse       length = 1 + body   (server
//              failure)
// Pure functions, any thread. Format: docs/formats/rpc.md. Upstream counterpart: rpc/protocol/MessageCodec.
#pragma once

#include <cstdint>
#include <span>

#include "base/strong_id.h"
#include "rpc/api.h"
#include "rpc/response.h"

namespace strom::rpc {

using RequestId =
    StrongId<struct RequestIdTag, int32_t>;  // chosen by the client, unique among its open requests

inline constexpr size_t kFrameLengthSize = 4;
inline constexpr size_t kRequestHeaderSize = 8;
inline constexpr size_t kResponseHeaderSize = 5;
inline constexpr size_t kMaxErrorMessage = 2048;

enum class ResponseType : uint8_t {
  kSuccess = 0,
  kError = 1,          // of one request
  kServerFailure = 2,  // of the connection: every open request has failed
};

struct RequestHeader {
  int16_t api_key = 0;  // raw: perhaps of no API that we know
  ApiVersion version = 0;
  RequestId id;
};

// The size of a request's body, from the first four bytes. An error (and the end of the connection) when the
// length is negative, too short for a header, or above `max_length`.
Result<size_t> decode_request_length(std::span<const uint8_t, kFrameLengthSize> bytes, size_t max_length);
RequestHeader decode_request_header(std::span<const uint8_t, kRequestHeaderSize> bytes);
Payload encode_request(RequestHeader header, const Payload& body);

// A whole frame, its length first. An error's message is cut to kMaxErrorMessage bytes.
Payload encode_response(RequestId id, const Response& response);
Slice encode_server_failure(const Error& error);

// The other direction, for clients: the length of a response frame without its length field; then that frame.
Result<size_t> decode_response_length(std::span<const uint8_t, kFrameLengthSize> bytes, size_t max_length);
struct ResponseFrame {
  ResponseType type = ResponseType::kSuccess;
  RequestId id;  // 0 for a server failure
  Slice body;
};
Result<ResponseFrame> decode_response(const Slice& frame);

// The body of an error frame. A code that we don't know becomes kUnknownServerError; so does a body that is
// no ErrorResponse.
Error decode_error(ByteView body);

}  // namespace strom::rpc
