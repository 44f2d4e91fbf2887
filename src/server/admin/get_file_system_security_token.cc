// GET_FILESYSTEM_SECURITY_TOKEN: what clients need to read remote files themselves. A local file system needs
// nothing.
#include "rpc/proto/remote_log.pb.h"
#include "rpc/typed.h"
#include "server/handlers.h"

namespace strom::server {

namespace {

// Of "s3://bucket/dir": "s3". A path without a scheme is a local one.
std::string scheme_of(const std::string& directory) {
  const size_t end = directory.find("://");
  return end == std::string::npos ? "file" : directory.substr(0, end);
}

async::Task<Result<proto::GetFileSystemSecurityTokenResponse>> get(Services& services) {
  const std::string scheme = scheme_of(services.facts().remote_data_dir);
  if (scheme != "file") {
    co_return make_error(ErrorCode::kSecurityToken,
                         "this server has no tokens for '{}' yet; set remote.data.dir to a local directory",
                         scheme);
  }
  proto::GetFileSystemSecurityTokenResponse response;
  response.set_schema(scheme);
  response.set_token("");
  co_return response;
}

}  // namespace

void serve_get_file_system_security_token(rpc::Dispatcher& dispatcher, Services& services) {
  rpc::serve<rpc::ApiKey::kGetFileSystemSecurityToken>(
      dispatcher,
      [&services](rpc::RequestContext, proto::GetFileSystemSecurityTokenRequest) { return get(services); });
}

}  // namespace strom::server
