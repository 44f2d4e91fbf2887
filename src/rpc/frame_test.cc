#include "rpc/frame.h"

#include <gtest/gtest.h>

#include "rpc/codec.h"
#include "rpc/proto/common.pb.h"
#include "rpc/proto/connection.pb.h"

namespace strom::rpc {
namespace {

std::string hex(const Payload& payload) { return to_hex(payload.flatten().view()); }
Slice bytes(std::string_view digits) { return Slice::own(from_hex(digits)); }
std::span<const uint8_t, 4> first_four(const Slice& frame) {
  return std::span<const uint8_t, 4>(frame.data(), 4);
}

// A request frame lies as the protocol says, byte by byte, and reads back.
TEST(Frame, Request) {
  proto::ApiVersionsRequest request;
  request.set_client_software_name("fluss");
  request.set_client_software_version("0.1.0");
  Payload frame =
      encode_request({.api_key = 1000, .version = 0, .id = RequestId(7)}, serialize_message(request));
  EXPECT_EQ(hex(frame),
            "00000016"
            "03e8"
            "0000"
            "00000007"
            "0a05666c757373"
            "1205302e312e30");

  Slice flat = frame.flatten();
  EXPECT_EQ(*decode_request_length(first_four(flat), 1024), 14u);
  RequestHeader header = decode_request_header(std::span<const uint8_t, 8>(flat.data() + 4, 8));
  EXPECT_EQ(header.api_key, 1000);
  EXPECT_EQ(header.version, 0);
  EXPECT_EQ(header.id, RequestId(7));
}

// A success response: type 0, the request's id, the parts of the body in order.
TEST(Frame, SuccessResponse) {
  Payload body(bytes("0102"));
  body.add(bytes("03"));
  Payload frame = encode_response(RequestId(-2), Response(body));
  EXPECT_EQ(hex(frame),
            "00000008"
            "00"
            "fffffffe"
            "010203");

  Slice flat = frame.flatten();
  EXPECT_EQ(*decode_response_length(first_four(flat), 100), 8u);
  ResponseFrame read = *decode_response(flat.sub(4, 8));
  EXPECT_EQ(read.type, ResponseType::kSuccess);
  EXPECT_EQ(read.id, RequestId(-2));
  EXPECT_EQ(to_hex(read.body.view()), "010203");
}

// An error response: type 1 and an ErrorResponse that protobuf reads.
TEST(Frame, ErrorResponse) {
  Payload frame =
      encode_response(RequestId(3), Response(make_error(ErrorCode::kTableNotExist, "no table a.b")));
  EXPECT_EQ(hex(frame),
            "00000015"
            "01"
            "00000003"
            "0807"
            "120c"
            "6e6f207461626c6520612e62");
  Slice flat = frame.flatten();
  ResponseFrame read = *decode_response(flat.sub(4, flat.size() - 4));
  EXPECT_EQ(read.type, ResponseType::kError);
  auto message = *parse_message<proto::ErrorResponse>(read.body);
  EXPECT_EQ(message.error_code(), 7);
  EXPECT_EQ(message.error_message(), "no table a.b");
  EXPECT_EQ(decode_error(read.body.view()).code, ErrorCode::kTableNotExist);
  EXPECT_EQ(decode_error(read.body.view()).message, "no table a.b");
}

// A server failure has no request id; the code -1 takes ten bytes; an empty message is left out.
TEST(Frame, ServerFailure) {
  Slice frame = encode_server_failure(Error{ErrorCode::kUnknownServerError, ""});
  EXPECT_EQ(to_hex(frame.view()),
            "0000000c"
            "02"
            "08ffffffffffffffffff01");
  ResponseFrame read = *decode_response(frame.sub(4, frame.size() - 4));
  EXPECT_EQ(read.type, ResponseType::kServerFailure);
  EXPECT_EQ(decode_error(read.body.view()).code, ErrorCode::kUnknownServerError);
}

// A long message is cut to 2048 bytes, never within a character.
TEST(Frame, LongMessagesAreCut) {
  std::string text = std::string(2047, 'x') + "\u00e4\u00e4";
  Slice frame = encode_response(RequestId(1), Response(Error{ErrorCode::kNetwork, text})).flatten();
  Error read = decode_error(frame.sub(9, frame.size() - 9).view());
  EXPECT_EQ(read.message, std::string(2047, 'x'));
}

// Lengths that no request can have: negative, too short for a header, beyond the limit. The limit itself is
// allowed.
TEST(Frame, MalformedRequestLengths) {
  for (const char* length : {"ffffffff", "80000000", "00000000", "00000007", "00000065", "7fffffff"}) {
    EXPECT_FALSE(decode_request_length(first_four(bytes(length)), 100).ok()) << length;
  }
  EXPECT_EQ(*decode_request_length(first_four(bytes("00000064")), 100), 92u);
  EXPECT_EQ(*decode_request_length(first_four(bytes("00000008")), 100), 0u);
}

// What a client refuses: empty frames, unknown types, frames too short for an id, lengths out of bounds.
TEST(Frame, MalformedResponses) {
  EXPECT_FALSE(decode_response(Slice()).ok());
  EXPECT_FALSE(decode_response(bytes("0300000000")).ok());
  EXPECT_FALSE(decode_response(bytes("00000000")).ok());
  EXPECT_TRUE(decode_response(bytes("0000000000")).ok());
  EXPECT_FALSE(decode_response_length(first_four(bytes("00000000")), 100).ok());
  EXPECT_FALSE(decode_response_length(first_four(bytes("ffffffff")), 100).ok());
  EXPECT_FALSE(decode_response_length(first_four(bytes("00000065")), 100).ok());
}

// Error bodies that can't be read, have no code, or a code from the future become UNKNOWN_SERVER_ERROR.
TEST(Frame, UnreadableErrors) {
  EXPECT_EQ(decode_error(bytes("08").view()).code, ErrorCode::kUnknownServerError);
  EXPECT_EQ(decode_error(ByteView{}).code, ErrorCode::kUnknownServerError);
  Error future = decode_error(bytes("08e707").view());
  EXPECT_EQ(future.code, ErrorCode::kUnknownServerError);
  EXPECT_NE(future.message.find("999"), std::string::npos);
}

// parse_message tells malformed bytes and missing fields apart, and skips fields that it does not know.
TEST(Codec, Parse) {
  EXPECT_TRUE(parse_message<proto::PbTablePath>(bytes("0a01641201749a0501ff")).ok());
  auto malformed = parse_message<proto::PbTablePath>(bytes("0a05"));
  EXPECT_EQ(malformed.code(), ErrorCode::kUnknownServerError);
  EXPECT_NE(malformed.error().message.find("malformed"), std::string::npos);
  auto missing = parse_message<proto::PbTablePath>(bytes("0a0164"));
  EXPECT_EQ(missing.code(), ErrorCode::kUnknownServerError);
  EXPECT_NE(missing.error().message.find("required"), std::string::npos);
}

}  // namespace
}  // namespace strom::rpc
