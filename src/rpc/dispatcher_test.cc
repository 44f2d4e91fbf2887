#include "rpc/dispatcher.h"

#include <gtest/gtest.h>

#include "async/runtime_testing.h"
#include "rpc/in_process_channel.h"
#include "rpc/messages/produce_log.h"
#include "rpc/proto/connection.pb.h"
#include "rpc/proto/database.pb.h"
#include "rpc/proto/log.pb.h"
#include "rpc/typed.h"

namespace strom::rpc {
namespace {

using async::Task;

Task<Result<proto::DatabaseExistsResponse>> database_exists(proto::DatabaseExistsRequest request) {
  if (request.database_name() == "bad") co_return make_error(ErrorCode::kInvalidDatabase, "bad is no name");
  proto::DatabaseExistsResponse response;
  response.set_exists(request.database_name() == "fluss");
  co_return response;
}

Task<Result<ProduceLogResponse>> produce(ProduceLogRequest request) {
  ProduceLogResponse response;
  response.buckets.push_back(
      {.bucket = request.buckets.at(0).bucket,
       .base_offset = model::Offset(static_cast<int64_t>(request.buckets[0].records.size()))});
  co_return response;
}

void register_samples(Dispatcher& dispatcher) {
  serve<ApiKey::kDatabaseExists>(dispatcher, [](RequestContext, proto::DatabaseExistsRequest r) {
    return database_exists(std::move(r));
  });
  serve_as<ProduceLogRequest, ProduceLogResponse>(
      dispatcher, ApiKey::kProduceLog,
      [](RequestContext, ProduceLogRequest r) { return produce(std::move(r)); });
}

Task<void> dispatch_into(const Dispatcher& dispatcher, ApiKey key, ApiVersion version, Slice body,
                         std::optional<Response>& response) {
  RequestContext context{.connection = std::make_shared<ConnectionInfo>(), .api = key, .version = version};
  response = co_await dispatcher.dispatch(std::move(context), std::move(body));
}

// The handlers of these tests never wait, so that their answer is there at once.
Response ask(const Dispatcher& dispatcher, ApiKey key, ApiVersion version, Slice body) {
  async::SimWorld world(1);
  auto runtime = world.add_machine("a").boot();
  async::TaskScope scope(runtime->loop(0));
  std::optional<Response> response;
  scope.spawn(dispatch_into(dispatcher, key, version, std::move(body), response));
  return std::move(*response);
}

Slice bytes(std::string_view digits) { return Slice::own(from_hex(digits)); }
const char* kVersionsRequest = "0a05666c7573731205302e312e30";

// API_VERSIONS lists what is registered, by key, with the table's versions; byte by byte.
TEST(Dispatcher, ApiVersionsGolden) {
  Dispatcher both;
  register_samples(both);
  Response response = ask(both, ApiKey::kApiVersions, 0, bytes(kVersionsRequest));
  ASSERT_TRUE(response.ok());
  EXPECT_EQ(to_hex(response.body().flatten().view()),
            "0a0708e80710001800"    // 1000 API_VERSIONS
            "0a0708ec0710001800"    // 1004 DATABASE_EXISTS
            "0a0708f60710001800"    // 1014 PRODUCE_LOG
            "0a07088e0810001800");  // 1038 AUTHENTICATE; and no server type

  Dispatcher tablet(ServerType::kTablet);
  Response with_type = ask(tablet, ApiKey::kApiVersions, 0, bytes(kVersionsRequest));
  EXPECT_EQ(to_hex(with_type.body().flatten().view()), "0a0708e807100018000a07088e08100018001002");
}

// A request reaches its handler as a message, and its answer or error comes back.
TEST(Dispatcher, MessagesGoBothWays) {
  Dispatcher dispatcher;
  register_samples(dispatcher);
  proto::DatabaseExistsRequest request;
  request.set_database_name("fluss");
  Response yes = ask(dispatcher, ApiKey::kDatabaseExists, 0, serialize_message(request));
  EXPECT_EQ(to_hex(yes.body().flatten().view()), "0801");
  request.set_database_name("bad");
  Response no = ask(dispatcher, ApiKey::kDatabaseExists, 0, serialize_message(request));
  EXPECT_EQ(no.error().code, ErrorCode::kInvalidDatabase);
}

// Keys that nobody serves, keys of no API, and versions out of range are refused with UNSUPPORTED_VERSION.
TEST(Dispatcher, UnknownKeysAndVersions) {
  Dispatcher dispatcher;
  register_samples(dispatcher);
  EXPECT_EQ(ask(dispatcher, ApiKey::kScanKv, 0, Slice()).error().code, ErrorCode::kUnsupportedVersion);
  EXPECT_EQ(ask(dispatcher, ApiKey(7), 0, Slice()).error().code, ErrorCode::kUnsupportedVersion);
  EXPECT_EQ(ask(dispatcher, ApiKey::kProduceLog, 1, Slice()).error().code, ErrorCode::kUnsupportedVersion);
  EXPECT_EQ(ask(dispatcher, ApiKey::kProduceLog, -1, Slice()).error().code, ErrorCode::kUnsupportedVersion);
  EXPECT_EQ(ask(dispatcher, ApiKey::kApiVersions, 1, bytes(kVersionsRequest)).error().code,
            ErrorCode::kUnsupportedVersion);
}

// Bodies that can't be read or lack a required field are answered with UNKNOWN_SERVER_ERROR, whatever decodes
// them.
TEST(Dispatcher, MalformedBodies) {
  Dispatcher dispatcher;
  register_samples(dispatcher);
  const ApiKey keys[] = {ApiKey::kApiVersions, ApiKey::kAuthenticate, ApiKey::kDatabaseExists,
                         ApiKey::kProduceLog};
  for (ApiKey key : keys) {
    EXPECT_EQ(ask(dispatcher, key, 0, bytes("0a05")).error().code, ErrorCode::kUnknownServerError)
        << fmt::format("{}", key);
    EXPECT_EQ(ask(dispatcher, key, 0, Slice()).error().code, ErrorCode::kUnknownServerError)
        << fmt::format("{}", key);
  }
}

// PLAINTEXT needs no proof and gets an empty answer; any other protocol is refused.
TEST(Dispatcher, Authenticate) {
  Dispatcher dispatcher;
  proto::AuthenticateRequest request;
  request.set_protocol("PLAINTEXT");
  request.set_token("");
  Response granted = ask(dispatcher, ApiKey::kAuthenticate, 0, serialize_message(request));
  ASSERT_TRUE(granted.ok());
  EXPECT_EQ(granted.body().size(), 0u);
  request.set_protocol("PLAIN");
  Response refused = ask(dispatcher, ApiKey::kAuthenticate, 0, serialize_message(request));
  EXPECT_EQ(refused.error().code, ErrorCode::kAuthenticate);
}

Task<void> use_channel(Dispatcher& dispatcher, bool& done) {
  InProcessChannel channel(dispatcher, {.listener = "INTERNAL", .session = {.internal = true}});
  proto::DatabaseExistsRequest request;
  request.set_database_name("fluss");
  auto exists = co_await call<ApiKey::kDatabaseExists>(channel, request, async::Deadline{});
  EXPECT_TRUE(exists->exists());

  ProduceLogRequest produce{.acks = 1, .table = model::TableId(1)};
  produce.buckets.push_back({.bucket = model::BucketId(4), .records = Slice::own(std::string(9000, 'x'))});
  auto produced =
      co_await call_as<ProduceLogResponse>(channel, ApiKey::kProduceLog, produce, async::Deadline{});
  EXPECT_EQ(produced->buckets[0].base_offset, model::Offset(9000));

  auto missing = co_await call<ApiKey::kListDatabases>(channel, {}, async::Deadline{});
  EXPECT_EQ(missing.code(), ErrorCode::kUnsupportedVersion);
  done = true;
}

// A channel within the process carries the same messages as a connection.
TEST(InProcessChannel, Calls) {
  async::SimWorld world(1);
  auto runtime = world.add_machine("a").boot();
  async::TaskScope scope(runtime->loop(0));
  Dispatcher dispatcher;
  register_samples(dispatcher);
  bool done = false;
  scope.spawn(use_channel(dispatcher, done));
  EXPECT_TRUE(done);
}

}  // namespace
}  // namespace strom::rpc
