// Names of the directories and files below a server's data directory. Pure: makes and reads names, touches no
// disk. Written down in docs/formats/local-layout.md. Upstream counterpart: utils/FlussPaths.
//   {database}/{table}-{table id}/[{partition}-p{partition id}/]log-{bucket}/00000000000000000042.log
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "model/ids.h"
#include "model/table_bucket.h"
#include "model/table_path.h"

namespace strom::model::local_paths {

// --- files directly below a data directory
inline constexpr std::string_view kLockFile = ".lock";
inline constexpr std::string_view kDiskProperties = "disk.properties";
inline constexpr std::string_view kRecoveryPointCheckpoint = "recovery-point-offset-checkpoint";
inline constexpr std::string_view kHighWatermarkCheckpoint = "high-watermark-checkpoint";
inline constexpr std::string_view kCleanShutdownMarker = ".fluss_cleanshutdown";
inline constexpr std::string_view kRemoteLogIndexCache = "remote-log-index-cache";

// --- directories, relative to a data directory
std::string table_dir(const TablePath& path, TableId id);  // "db/t-12"
std::string partition_dir(const PhysicalTablePath& path, TableId table, PartitionId partition);
// path.partition and bucket.partition are both set or both not.
std::string log_dir(const PhysicalTablePath& path, const TableBucket& bucket);  // "db/t-12/2024-p3/log-0"
std::string kv_dir(const PhysicalTablePath& path, const TableBucket& bucket);

struct BucketDir {
  PhysicalTablePath path;
  TableBucket bucket;
  bool is_kv = false;
  friend bool operator==(const BucketDir&, const BucketDir&) = default;
};
// Back from a relative directory; nothing when it is no bucket's directory.
std::optional<BucketDir> parse_bucket_dir(std::string_view relative_path);

// --- files of a log directory
inline constexpr std::string_view kLogSuffix = ".log";
inline constexpr std::string_view kIndexSuffix = ".index";
inline constexpr std::string_view kTimeIndexSuffix = ".timeindex";
inline constexpr std::string_view kWriterSnapshotSuffix = ".writer_snapshot";
inline constexpr std::string_view kDeletedSuffix = ".deleted";  // appended to any of the others

enum class LogFileKind : uint8_t { kLog, kIndex, kTimeIndex, kWriterSnapshot };

// 20 digits and a suffix. The offset is the segment's base, or for a writer snapshot the end of what it
// covers.
std::string log_file(LogFileKind kind, Offset offset);
struct LogFile {
  LogFileKind kind;
  Offset offset;
  bool deleted = false;  // renamed for removal
  friend bool operator==(const LogFile&, const LogFile&) = default;
};
std::optional<LogFile> parse_log_file(std::string_view name);

}  // namespace strom::model::local_paths
