#include "rpc/api.h"

#include <gtest/gtest.h>

#include "rpc/api_messages.h"
#include "rpc/proto/metadata.pb.h"

namespace strom::rpc {
namespace {

// The table covers the keys of the protocol, 1000 to 1066, and nothing beside them is found.
TEST(Api, RowsAreFoundByKey) {
  EXPECT_EQ(api_table().size(), 67u);
  EXPECT_EQ(find_api(999), nullptr);
  EXPECT_EQ(find_api(1067), nullptr);
  EXPECT_EQ(find_api(-1), nullptr);
  EXPECT_EQ(find_api(1066)->key, ApiKey::kRemoveServerTagByRack);
  for (const ApiRow& row : api_table()) {
    EXPECT_EQ(find_api(static_cast<int16_t>(row.key)), &row);
    EXPECT_LE(row.min_version, row.max_version) << row.name;
  }
}

// Only the APIs whose versions differ have more than version 0, and no version is claimed that needs 1.0.0's
// semantics.
TEST(Api, Versions) {
  for (const ApiRow& row : api_table()) {
    ApiVersion expected = 0;
    if (row.key == ApiKey::kPutKv) expected = 2;
    if (row.key == ApiKey::kLookup || row.key == ApiKey::kPrefixLookup) expected = 1;
    EXPECT_EQ(row.min_version, 0) << row.name;
    EXPECT_EQ(row.max_version, expected) << row.name;
  }
}

// A key prints as name and number, an unknown one as such.
TEST(Api, Names) {
  EXPECT_EQ(fmt::format("{}", ApiKey::kProduceLog), "PRODUCE_LOG(1014)");
  EXPECT_EQ(api_name(int16_t{7}), "UNKNOWN");
}

// GET_METADATA's messages are called Metadata...: the table says so.
TEST(Api, MessageTypes) {
  static_assert(std::is_same_v<ApiMessages<ApiKey::kGetMetadata>::Request, proto::MetadataRequest>);
  static_assert(std::is_same_v<ApiMessages<ApiKey::kGetMetadata>::Response, proto::MetadataResponse>);
  EXPECT_EQ(ApiMessages<ApiKey::kGetMetadata>::Request().GetTypeName(), "strom.proto.MetadataRequest");
}

}  // namespace
}  // namespace strom::rpc
