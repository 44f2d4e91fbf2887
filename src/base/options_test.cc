#include "base/options.h"

#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/options_render.h"

namespace strom {
namespace {

using std::chrono::milliseconds;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

Result<Options> load(std::initializer_list<std::pair<std::string, std::string>> pairs) {
  std::vector<OptionSetting> settings;
  for (const auto& [key, value] : pairs) settings.push_back({key, value, "-D"});
  return Options::from_settings(settings);
}

std::string error_of(std::initializer_list<std::pair<std::string, std::string>> pairs) {
  const auto options = load(pairs);
  return options ? "no error" : options.error().message;
}

// Without any configuration the values are the documented ones, of each type.
TEST(Options, HaveDefaults) {
  const Options options;
  EXPECT_EQ(options.get(option::kBindListeners), (Listeners{{"FLUSS", {"localhost", 9123}}}));
  EXPECT_EQ(options.get(option::kDataDir), "./strom-data");
  EXPECT_EQ(options.get(option::kRemoteDataDir), "./strom-data/remote.data");
  EXPECT_EQ(options.get(option::kMaxRequestSize).bytes, 100 << 20);
  EXPECT_EQ(options.get(option::kWriterIdExpirationTime), std::chrono::hours(7 * 24));
  EXPECT_EQ(options.get(option::kLogFlushIntervalMessages), std::numeric_limits<int64_t>::max());
  EXPECT_EQ(options.get(option::kDiskWriteLimitRatio), 0.85);
  EXPECT_TRUE(options.get(option::kAllowCreateLogTables));
  EXPECT_EQ(options.get(option::kHttpListen), std::nullopt);
  EXPECT_FALSE(options.is_set(option::kDataDir));
}

// The file's format: comments end a line even inside a value, keys and values are trimmed, the colon needs
// its space.
TEST(Options, FileLines) {
  const auto settings =
      parse_option_lines("# head\n\n data.dir : /a b#c\r\nbind.listeners: FLUSS://[::1]:1\n", "s");
  ASSERT_TRUE(settings.ok()) << settings.error().message;
  ASSERT_EQ(settings->size(), 2u);
  EXPECT_EQ((*settings)[0].key, "data.dir");
  EXPECT_EQ((*settings)[0].value, "/a b");
  EXPECT_EQ((*settings)[1].value, "FLUSS://[::1]:1");
  EXPECT_EQ((*settings)[1].origin, "s:4");
  EXPECT_THAT(parse_option_lines("\na:b", "s").error().message, HasSubstr("s:2: expected 'key: value'"));
  EXPECT_EQ(read_option_file("/nonexistent/server.yaml").code(), ErrorCode::kInvalidConfig);
}

// An override is split at its first '=', and of several settings of one key the last wins.
TEST(Options, LaterSettingsWin) {
  const auto override = parse_option_override("remote.data.dir = s3://b/x=y");
  ASSERT_TRUE(override.ok());
  EXPECT_EQ(override->key, "remote.data.dir");
  EXPECT_EQ(override->value, "s3://b/x=y");
  EXPECT_FALSE(parse_option_override("data.dir").ok());
  EXPECT_FALSE(parse_option_override("=1").ok());
  const auto options = load({{"max.bucket.num", "3"}, {"max.bucket.num", "4"}});
  ASSERT_TRUE(options.ok());
  EXPECT_EQ(options->get(option::kMaxBucketNum), 4);
  EXPECT_TRUE(options->is_set(option::kMaxBucketNum));
}

// Each type reads the text that Fluss accepts.
TEST(Options, ReadTypedValues) {
  const auto options = load({{"log.segment.file-size", "64 kb"},
                             {"auto-partition.check.interval", "1h"},
                             {"allow.create.kv.tables", "FALSE"},
                             {"bind.listeners", "FLUSS://0.0.0.0:0, CLIENT://[::1]:9124"},
                             {"strom.http.listen", "localhost:8080"},
                             {"datalake.format", "PAIMON"},
                             {"data.dir", "/d"}});
  ASSERT_TRUE(options.ok()) << options.error().message;
  EXPECT_EQ(options->get(option::kLogSegmentFileSize).bytes, 65536);
  EXPECT_EQ(options->get(option::kAutoPartitionCheckInterval), std::chrono::hours(1));
  EXPECT_FALSE(options->get(option::kAllowCreateKvTables));
  EXPECT_THAT(options->get(option::kBindListeners),
              ElementsAre(Listener{"FLUSS", {"0.0.0.0", 0}}, Listener{"CLIENT", {"::1", 9124}}));
  EXPECT_EQ(options->get(option::kHttpListen), (HostPort{"localhost", 8080}));
  EXPECT_EQ(options->get(option::kDatalakeFormat), "paimon");
  EXPECT_EQ(options->get(option::kRemoteDataDir), "/d/remote.data");
}

// A bad value is refused with its key, its text and what is allowed, for each type and kind of constraint.
TEST(Options, RefuseBadValues) {
  EXPECT_EQ(error_of({{"max.bucket.num", "many"}}),
            "-D: the value 'many' of max.bucket.num can't be used: allowed is an integer of at least 1");
  EXPECT_THAT(error_of({{"max.bucket.num", "0"}}), HasSubstr("of at least 1"));
  EXPECT_THAT(error_of({{"max.bucket.num", "2147483648"}}), HasSubstr("an integer"));
  EXPECT_THAT(error_of({{"server.data-disk.write-limit-ratio", "1.5"}}), HasSubstr("a number from 0 to 1"));
  EXPECT_THAT(error_of({{"server.data-disk.write-limit-ratio", "nan"}}), HasSubstr("a number from 0 to 1"));
  EXPECT_THAT(error_of({{"allow.create.log.tables", "yes"}}), HasSubstr("true or false"));
  EXPECT_THAT(error_of({{"log.segment.file-size", "10"}}), HasSubstr("a size such as"));
  EXPECT_THAT(error_of({{"log.segment.file-size", "4gb"}}), HasSubstr("to 2147483647 bytes"));
  EXPECT_THAT(error_of({{"auto-partition.check.interval", "0s"}}), HasSubstr("at least 1 ms"));
  EXPECT_THAT(error_of({{"auto-partition.check.interval", "soon"}}), HasSubstr("a duration such as"));
  EXPECT_THAT(error_of({{"bind.listeners", "localhost:9123"}}), HasSubstr("NAME://host:port"));
  EXPECT_THAT(error_of({{"bind.listeners", "A://h:1,A://h:2"}}), HasSubstr("each name once"));
  EXPECT_THAT(error_of({{"bind.listeners", "A://h:65536"}}), HasSubstr("ports 0 to 65535"));
  EXPECT_THAT(error_of({{"strom.http.listen", "8080"}}), HasSubstr("host:port"));
  EXPECT_THAT(error_of({{"datalake.format", "delta"}}), HasSubstr("one of paimon, iceberg, lance, hudi"));
}

// Options that only make sense together are checked together.
TEST(Options, RefuseContradictions) {
  EXPECT_THAT(error_of({{"advertised.listeners", "CLIENT://h:1"}}), HasSubstr("CLIENT"));
  EXPECT_THAT(error_of({{"internal.listener.name", "INTERNAL"}}), HasSubstr("allowed are FLUSS"));
  EXPECT_THAT(error_of({{"server.data-disk.write-recover-ratio", "0.9"}}),
              HasSubstr("write-limit-ratio, 0.85"));
  EXPECT_THAT(error_of({{"bind.listeners", ""}}), HasSubstr("at least one"));
  EXPECT_THAT(error_of({{"data.dir", ""}}), HasSubstr("data.dir is empty"));
}

// A setting that turns on a feature that does not exist is refused; the same key with the harmless value is
// not.
TEST(Options, RefuseFeaturesThatAreMissing) {
  EXPECT_THAT(error_of({{"security.protocol.map", "CLIENT:SASL,FLUSS:PLAINTEXT"}}), HasSubstr("SASL"));
  EXPECT_THAT(error_of({{"authorizer.enabled", "true"}}), HasSubstr("access control is not supported yet"));
  EXPECT_THAT(error_of({{"kafka.enabled", "true"}}), HasSubstr("not supported yet"));
  EXPECT_THAT(error_of({{"datalake.enabled", "true"}}), HasSubstr("not supported yet"));
  EXPECT_THAT(error_of({{"remote.data.dirs", "/a,/b"}}), HasSubstr("use remote.data.dir"));
  EXPECT_THAT(error_of({{"data.dirs", "/a,/b"}}), HasSubstr("use data.dir"));
  EXPECT_THAT(error_of({{"tablet-server.port", "9124"}}), HasSubstr("use bind.listeners"));
  EXPECT_TRUE(load({{"security.protocol.map", "CLIENT:PLAINTEXT"},
                    {"authorizer.enabled", "False"},
                    {"kafka.enabled", "false"},
                    {"datalake.enabled", "false"}})
                  .ok());
}

// Old names work, keys of Fluss without effect are quiet, and only keys that nobody knows are collected, once
// each.
TEST(Options, CollectUnknownKeys) {
  const auto options = load({{"coordinator.io-pool.size", "3"},
                             {"zookeeper.address", "localhost:2181"},
                             {"kv.rocksdb.block.blocksize", "4kb"},
                             {"datalake.paimon.warehouse", "/w"},
                             {"client.id", "x"},
                             {"data.dri", "/tpyo"},
                             {"x", "1"},
                             {"data.dri", "/again"}});
  ASSERT_TRUE(options.ok()) << options.error().message;
  EXPECT_EQ(options->get(option::kIoPoolSize), 3);
  EXPECT_THAT(options->unknown_keys(), ElementsAre("data.dri", "x"));
}

// The sample configuration is readable by the parser once its comment signs are gone, and gives the defaults.
TEST(Options, SampleConfigurationLoads) {
  std::istringstream sample(render_sample_config());
  std::string lines;
  for (std::string line; std::getline(sample, line);) {
    for (const OptionRow& row : option_rows()) {
      if (line.starts_with(fmt::format("# {}: ", row.key)) && !row.default_text.empty())
        lines += line.substr(2) + "\n";
    }
  }
  const auto settings = parse_option_lines(lines, "sample");
  ASSERT_TRUE(settings.ok()) << settings.error().message;
  EXPECT_GT(settings->size(), 25u);
  const auto options = Options::from_settings(*settings);
  ASSERT_TRUE(options.ok()) << options.error().message;
  EXPECT_TRUE(options->unknown_keys().empty());
  EXPECT_EQ(options->get(option::kMaxRequestSize), Options().get(option::kMaxRequestSize));
}

// docs/config.md is what the catalogue says now. `./dev gen` writes it.
TEST(Options, PageIsCurrent) {
  std::ifstream file(STROM_SOURCE_DIR "/docs/config.md");
  std::stringstream page;
  page << file.rdbuf();
  EXPECT_EQ(page.str(), render_options_markdown()) << "run ./dev gen";
}

}  // namespace
}  // namespace strom
