#include "rpc/dispatcher.h"

#include "rpc/codec.h"
#include "rpc/proto/connection.pb.h"

namespace strom::rpc {
namespace {

size_t row_index(const ApiRow& row) { return static_cast<size_t>(&row - api_table().data()); }

async::Task<Response> answer(Response response) { co_return response; }

// Without authentication there is nothing to prove: a client that tries another protocol is told so.
Response authenticate_plaintext(const Slice& body) {
  auto request = parse_message<proto::AuthenticateRequest>(body);
  if (!request.ok()) return std::move(request).error();
  if (request->protocol() != "PLAINTEXT") {
    return make_error(
        ErrorCode::kAuthenticate,
        "this listener speaks PLAINTEXT, the client asked for {}: set client.security.protocol to PLAINTEXT",
        request->protocol());
  }
  return reply(proto::AuthenticateResponse());
}

}  // namespace

Dispatcher::Dispatcher(std::optional<ServerType> server_type)
    : server_type_(server_type), handlers_(api_table().size()) {
  handlers_[row_index(api_row(ApiKey::kApiVersions))] = [this](RequestContext, Slice body) {
    return answer(api_versions(body));
  };
  handlers_[row_index(api_row(ApiKey::kAuthenticate))] = [](RequestContext, Slice body) {
    return answer(authenticate_plaintext(body));
  };
}

void Dispatcher::on(ApiKey key, Handler handler) {
  Handler& place = handlers_[row_index(api_row(key))];
  STROM_CHECK(place == nullptr, "{} is registered twice", key);
  place = std::move(handler);
}

bool Dispatcher::serves(ApiKey key) const { return handlers_[row_index(api_row(key))] != nullptr; }

async::Task<Response> Dispatcher::dispatch(RequestContext context, Slice body) const {
  const ApiRow* row = find_api(static_cast<int16_t>(context.api));
  if (row == nullptr || handlers_[row_index(*row)] == nullptr) {
    return answer(make_error(ErrorCode::kUnsupportedVersion, "this server does not serve {}", context.api));
  }
  if (context.version < row->min_version || context.version > row->max_version) {
    return answer(make_error(ErrorCode::kUnsupportedVersion, "{} version {} is not served, only {} to {}",
                             context.api, context.version, row->min_version, row->max_version));
  }
  return handlers_[row_index(*row)](std::move(context), std::move(body));
}

Response Dispatcher::api_versions(const Slice& body) const {
  auto request = parse_message<proto::ApiVersionsRequest>(body);
  if (!request.ok()) return std::move(request).error();
  proto::ApiVersionsResponse response;
  for (const ApiRow& row : api_table()) {
    if (handlers_[row_index(row)] == nullptr) continue;
    auto* version = response.add_api_versions();
    version->set_api_key(static_cast<int32_t>(row.key));
    version->set_min_version(row.min_version);
    version->set_max_version(row.max_version);
  }
  if (server_type_) response.set_server_type(static_cast<int32_t>(*server_type_));
  return reply(response);
}

}  // namespace strom::rpc
