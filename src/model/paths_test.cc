#include <gtest/gtest.h>

#include "model/local_paths.h"
#include "model/table_path.h"

namespace strom::model {
namespace {

// Names obey the rules of upstream, and the message says which one is broken.
TEST(TablePath, NamesObeyTheRules) {
  EXPECT_TRUE(validate_database_name("A-z_09").ok());
  EXPECT_TRUE(validate_table_name(std::string(200, 'x')).ok());
  for (const std::string& name :
       {std::string(""), std::string("."), std::string(".."), std::string("a b"), std::string("a/b"),
        std::string("é"), std::string("__a"), std::string(201, 'x')}) {
    EXPECT_EQ(validate_database_name(name).code(), ErrorCode::kInvalidDatabase) << name;
    EXPECT_EQ(validate_table_name(name).code(), ErrorCode::kInvalidTable) << name;
  }
  EXPECT_EQ(invalid_name_reason("__internal"), std::nullopt);
  EXPECT_EQ(validate_table_name("a.b").error().message,
            "Table name a.b is invalid: 'a.b' may hold only ASCII letters and digits, '_' and '-'");
}

TEST(TablePath, ReadAndPrint) {
  EXPECT_EQ(TablePath::parse("db.t").value(), (TablePath{"db", "t"}));
  EXPECT_EQ(TablePath::parse("t").code(), ErrorCode::kInvalidTable);
  EXPECT_EQ(TablePath::parse("db.a.b").code(), ErrorCode::kInvalidTable);
  EXPECT_EQ(fmt::format("{}", TablePath{"db", "t"}), "db.t");
  EXPECT_EQ(fmt::format("{}", PhysicalTablePath{{"db", "t"}, "2024$us"}), "db.t(p=2024$us)");
}

// Directories are upstream's, and are parsed back even when names look like ids.
TEST(LocalPaths, BucketDirectories) {
  TablePath table{"db", "t-3-p4"};
  PhysicalTablePath plain{table, std::nullopt};
  PhysicalTablePath partitioned{table, "2024-p1$us"};
  TableBucket bucket{TableId(12), std::nullopt, BucketId(7)};
  TableBucket partition_bucket{TableId(12), PartitionId(5), BucketId(7)};
  EXPECT_EQ(local_paths::log_dir(plain, bucket), "db/t-3-p4-12/log-7");
  EXPECT_EQ(local_paths::kv_dir(partitioned, partition_bucket), "db/t-3-p4-12/2024-p1$us-p5/kv-7");

  EXPECT_EQ(local_paths::parse_bucket_dir(local_paths::log_dir(plain, bucket)),
            (local_paths::BucketDir{plain, bucket, false}));
  EXPECT_EQ(local_paths::parse_bucket_dir(local_paths::kv_dir(partitioned, partition_bucket)),
            (local_paths::BucketDir{partitioned, partition_bucket, true}));
  for (std::string_view path : {"", "db", "db/t-1", "db/t-1/log-", "db/t-1/log-x", "db/t/log-1", "db/t-1/x-1",
                                "db/t-1/p/log-1", "db/t-1/a-p1/b/log-1", "/t-1/log-1", "db/t-1/log--1"}) {
    EXPECT_EQ(local_paths::parse_bucket_dir(path), std::nullopt) << path;
  }
}

// File names carry 20 digits, so that they sort by offset.
TEST(LocalPaths, LogFiles) {
  using local_paths::LogFile;
  using local_paths::LogFileKind;
  EXPECT_EQ(local_paths::log_file(LogFileKind::kLog, Offset(42)), "00000000000000000042.log");
  EXPECT_EQ(local_paths::log_file(LogFileKind::kWriterSnapshot, Offset(INT64_MAX)),
            "09223372036854775807.writer_snapshot");
  for (LogFileKind kind :
       {LogFileKind::kLog, LogFileKind::kIndex, LogFileKind::kTimeIndex, LogFileKind::kWriterSnapshot}) {
    std::string name = local_paths::log_file(kind, Offset(7));
    EXPECT_EQ(local_paths::parse_log_file(name), (LogFile{kind, Offset(7), false}));
    EXPECT_EQ(local_paths::parse_log_file(name + ".deleted"), (LogFile{kind, Offset(7), true}));
  }
  for (std::string_view name : {"", "42.log", "00000000000000000042", "00000000000000000042.txt",
                                "0000000000000000004x.log", "99999999999999999999.log", ".deleted"}) {
    EXPECT_EQ(local_paths::parse_log_file(name), std::nullopt) << name;
  }
}

}  // namespace
}  // namespace strom::model
