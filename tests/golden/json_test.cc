#include <gtest/gtest.h>

#include "model/database_descriptor.h"
#include "model/schema.h"
#include "model/table_descriptor.h"
#include "tests/golden/fixtures.h"

namespace strom::golden {
namespace {

// Each document of the file is parsed, and written again with the same bytes. Except that Java escapes
// characters beyond U+FFFF as two \u units, which says the same as the UTF-8 that is written here: such
// documents are compared as JSON.
template <class T>
void check_documents(const std::string& path) {
  for (const std::string& document : text_lines(path)) {
    const auto parsed = T::parse_json(document);
    ASSERT_TRUE(parsed.ok()) << document << "\n" << parsed.error().message;
    if (document.find("\\uD8") == std::string::npos) {
      EXPECT_EQ(parsed->to_json(), document);
    } else {
      EXPECT_EQ(nlohmann::ordered_json::parse(parsed->to_json()), nlohmann::ordered_json::parse(document));
    }
  }
}

// Schemas of every type, with comments, keys, aggregations, an auto-increment column, ids of nested fields.
TEST(GoldenJson, Schemas) { check_documents<model::Schema>("json/schema.txt"); }
// Tables with and without distribution, partitions, properties.
TEST(GoldenJson, TableDescriptors) { check_documents<model::TableDescriptor>("json/table_descriptor.txt"); }
TEST(GoldenJson, DatabaseDescriptors) {
  check_documents<model::DatabaseDescriptor>("json/database_descriptor.txt");
}

}  // namespace
}  // namespace strom::golden
