#include "rpc/in_process_channel.h"

namespace strom::rpc {

async::Task<Result<Slice>> InProcessChannel::call(ApiKey key, ApiVersion version, Payload body,
                                                  async::Deadline deadline) {
  RequestContext context{.connection = self_, .api = key, .version = version, .deadline = deadline};
  Response response = co_await dispatcher_.dispatch(std::move(context), body.flatten());
  if (!response.ok()) co_return response.error();
  co_return response.body().flatten();
}

Result<ApiVersion> InProcessChannel::highest_version(ApiKey key) const {
  if (!dispatcher_.serves(key))
    return make_error(ErrorCode::kUnsupportedVersion, "this server does not serve {}", key);
  return api_row(key).max_version;
}

}  // namespace strom::rpc
