#include "rpc/frame.h"

#include <protozero/pbf_reader.hpp>
#include <protozero/pbf_writer.hpp>

#include "base/endian.h"

namespace strom::rpc {
namespace {

// `text` cut to at most `limit` bytes, not within a UTF-8 character.
std::string_view cut(std::string_view text, size_t limit) {
  if (text.size() <= limit) return text;
  while (limit > 0 && (static_cast<uint8_t>(text[limit]) & 0xC0) == 0x80) --limit;
  return text.substr(0, limit);
}

std::string encode_error_body(const Error& error) {
  std::string body;
  protozero::pbf_writer writer(body);
  writer.add_int32(1, static_cast<int32_t>(error.code));
  std::string_view message = cut(error.message, kMaxErrorMessage);
  if (!message.empty()) writer.add_string(2, message.data(), message.size());
  return body;
}

Buffer response_prefix(ResponseType type, RequestId id, size_t body_size) {
  Buffer prefix(kFrameLengthSize + kResponseHeaderSize);
  store_be(prefix.data(), static_cast<int32_t>(kResponseHeaderSize + body_size));
  prefix[4] = static_cast<uint8_t>(type);
  store_be(prefix.data() + 5, id.value);
  return prefix;
}

Result<size_t> checked_length(std::span<const uint8_t, kFrameLengthSize> bytes, size_t min, size_t max,
                              std::string_view option) {
  auto length = load_be<int32_t>(bytes.data());
  if (length < static_cast<int64_t>(min)) {
    return make_error(
        ErrorCode::kUnknownServerError,
        "the frame's length is {}, expected at least {}: the other side does not speak this protocol", length,
        min);
  }
  if (static_cast<size_t>(length) > max) {
    return make_error(ErrorCode::kUnknownServerError, "the frame's length is {}, expected at most {} ({})",
                      length, max, option);
  }
  return static_cast<size_t>(length);
}

}  // namespace

Result<size_t> decode_request_length(std::span<const uint8_t, kFrameLengthSize> bytes, size_t max_length) {
  return STROM_TRY(checked_length(bytes, kRequestHeaderSize, max_length, "netty.server.max-request-size")) -
         kRequestHeaderSize;
}

RequestHeader decode_request_header(std::span<const uint8_t, kRequestHeaderSize> bytes) {
  return {.api_key = load_be<int16_t>(bytes.data()),
          .version = load_be<int16_t>(bytes.data() + 2),
          .id = RequestId(load_be<int32_t>(bytes.data() + 4))};
}

Payload encode_request(RequestHeader header, const Payload& body) {
  Buffer prefix(kFrameLengthSize + kRequestHeaderSize);
  store_be(prefix.data(), static_cast<int32_t>(kRequestHeaderSize + body.size()));
  store_be(prefix.data() + 4, header.api_key);
  store_be(prefix.data() + 6, header.version);
  store_be(prefix.data() + 8, header.id.value);
  Payload frame(Slice::own(std::move(prefix)));
  frame.add(body);
  return frame;
}

Payload encode_response(RequestId id, const Response& response) {
  if (!response.ok()) {
    std::string body = encode_error_body(response.error());
    Buffer frame = response_prefix(ResponseType::kError, id, body.size());
    append(frame, as_bytes(body));
    return Slice::own(std::move(frame));
  }
  Payload frame(Slice::own(response_prefix(ResponseType::kSuccess, id, response.body().size())));
  frame.add(response.body());
  return frame;
}

Slice encode_server_failure(const Error& error) {
  std::string body = encode_error_body(error);
  Buffer frame(kFrameLengthSize + 1);
  store_be(frame.data(), static_cast<int32_t>(1 + body.size()));
  frame[4] = static_cast<uint8_t>(ResponseType::kServerFailure);
  append(frame, as_bytes(body));
  return Slice::own(std::move(frame));
}

Result<size_t> decode_response_length(std::span<const uint8_t, kFrameLengthSize> bytes, size_t max_length) {
  return checked_length(bytes, 1, max_length, "the client's bound on a response");
}

Result<ResponseFrame> decode_response(const Slice& frame) {
  if (frame.empty()) return make_error(ErrorCode::kNetwork, "empty response frame");
  uint8_t type = frame.data()[0];
  if (type == static_cast<uint8_t>(ResponseType::kServerFailure)) {
    return ResponseFrame{
        .type = ResponseType::kServerFailure, .id = {}, .body = frame.sub(1, frame.size() - 1)};
  }
  if (type > static_cast<uint8_t>(ResponseType::kServerFailure)) {
    return make_error(ErrorCode::kNetwork, "response of type {}, expected 0, 1 or 2", type);
  }
  if (frame.size() < kResponseHeaderSize) {
    return make_error(ErrorCode::kNetwork, "response frame of {} bytes, expected at least {}", frame.size(),
                      kResponseHeaderSize);
  }
  return ResponseFrame{.type = static_cast<ResponseType>(type),
                       .id = RequestId(load_be<int32_t>(frame.data() + 1)),
                       .body = frame.sub(kResponseHeaderSize, frame.size() - kResponseHeaderSize)};
}

Error decode_error(ByteView body) try {
  constexpr auto kCode = protozero::tag_and_type(1, protozero::pbf_wire_type::varint);
  constexpr auto kMessage = protozero::tag_and_type(2, protozero::pbf_wire_type::length_delimited);
  bool has_code = false;
  int32_t code = 0;
  std::string message;
  protozero::pbf_reader reader(protozero::data_view(as_text(body).data(), body.size()));
  while (reader.next()) {
    switch (reader.tag_and_type()) {
      case kCode:
        code = reader.get_int32(), has_code = true;
        break;
      case kMessage:
        message = reader.get_string();
        break;
      default:
        reader.skip();
    }
  }
  if (!has_code)
    return make_error(ErrorCode::kUnknownServerError, "the server answered an error without a code");
  if (error_name(ErrorCode(code)) == "UNKNOWN") {
    return make_error(ErrorCode::kUnknownServerError, "error code {} that this version does not know: {}",
                      code, message);
  }
  return Error{ErrorCode(code), std::move(message)};
} catch (const protozero::exception& e) {
  return make_error(ErrorCode::kUnknownServerError, "the server answered an error that can't be read: {}",
                    e.what());
}

}  // namespace strom::rpc
