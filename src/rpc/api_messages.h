// Which generated messages an API key carries: ApiMessages<ApiKey::kCreateTable>::Request is
// proto::CreateTableRequest. Only declarations: include "rpc/proto/<subject>.pb.h" where the messages are
// used. From api.inc. Any thread.
#pragma once

#include "rpc/api.h"

namespace strom::proto {
#define STROM_API(enumerator, key, name, min_version, max_version, served_by, kind, message) \
  class message##Request;                                                                    \
  class message##Response;
#include "rpc/api.inc"
#undef STROM_API
}  // namespace strom::proto

namespace strom::rpc {

template <ApiKey>
struct ApiMessages;

#define STROM_API(enumerator, key, name, min_version, max_version, served_by, kind, message) \
  template <>                                                                                \
  struct ApiMessages<ApiKey::enumerator> {                                                   \
    using Request = proto::message##Request;                                                 \
    using Response = proto::message##Response;                                               \
  };
#include "rpc/api.inc"
#undef STROM_API

}  // namespace strom::rpc
