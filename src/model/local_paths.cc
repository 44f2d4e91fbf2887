#include "model/local_paths.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <vector>

#include <fmt/format.h>

#include "base/check.h"

namespace strom::model::local_paths {
namespace {

constexpr size_t kOffsetDigits = 20;

constexpr std::array<std::string_view, 4> kSuffixes = {kLogSuffix, kIndexSuffix, kTimeIndexSuffix,
                                                       kWriterSnapshotSuffix};

template <class Number>
std::optional<Number> number(std::string_view text) {
  if (text.empty() || text.find_first_not_of("0123456789") != std::string_view::npos) return std::nullopt;
  Number value{};
  auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  return failure == std::errc{} ? std::optional(value) : std::nullopt;
}

std::string parent_dir(const PhysicalTablePath& path, const TableBucket& bucket) {
  STROM_CHECK(path.partition.has_value() == bucket.partition.has_value(), "{} {}", path, bucket);
  return bucket.partition ? partition_dir(path, bucket.table, *bucket.partition)
                          : table_dir(path.path, bucket.table);
}

struct NameAndId {
  std::string name;
  int64_t id;
};

// "name-12" with separator "-", "name-p12" with separator "-p". Names may hold the separator, so the last one
// counts.
std::optional<NameAndId> split(std::string_view text, std::string_view separator) {
  size_t at = text.rfind(separator);
  if (at == std::string_view::npos || at == 0) return std::nullopt;
  auto id = number<int64_t>(text.substr(at + separator.size()));
  if (!id) return std::nullopt;
  return NameAndId{std::string(text.substr(0, at)), *id};
}

std::vector<std::string_view> split_path(std::string_view path) {
  std::vector<std::string_view> parts;
  for (size_t from = 0; from <= path.size();) {
    size_t slash = std::min(path.find('/', from), path.size());
    parts.push_back(path.substr(from, slash - from));
    from = slash + 1;
  }
  return parts;
}

}  // namespace

std::string table_dir(const TablePath& path, TableId id) {
  return fmt::format("{}/{}-{}", path.database, path.table, id);
}

std::string partition_dir(const PhysicalTablePath& path, TableId table, PartitionId partition) {
  return fmt::format("{}/{}-p{}", table_dir(path.path, table), path.partition.value_or(""), partition);
}

std::string log_dir(const PhysicalTablePath& path, const TableBucket& bucket) {
  return fmt::format("{}/log-{}", parent_dir(path, bucket), bucket.bucket);
}

std::string kv_dir(const PhysicalTablePath& path, const TableBucket& bucket) {
  return fmt::format("{}/kv-{}", parent_dir(path, bucket), bucket.bucket);
}

std::optional<BucketDir> parse_bucket_dir(std::string_view relative_path) {
  auto parts = split_path(relative_path);
  if (parts.size() != 3 && parts.size() != 4) return std::nullopt;
  std::string_view last = parts.back();
  bool is_kv = last.starts_with("kv-");
  if (!is_kv && !last.starts_with("log-")) return std::nullopt;
  auto bucket = number<int32_t>(last.substr(is_kv ? 3 : 4));
  auto table = split(parts[1], "-");
  if (!bucket || !table || parts[0].empty()) return std::nullopt;

  BucketDir dir{.path = {.path = {std::string(parts[0]), table->name}, .partition = std::nullopt},
                .bucket = {TableId(table->id), std::nullopt, BucketId(*bucket)},
                .is_kv = is_kv};
  if (parts.size() == 4) {
    auto partition = split(parts[2], "-p");
    if (!partition) return std::nullopt;
    dir.path.partition = partition->name;
    dir.bucket.partition = PartitionId(partition->id);
  }
  return dir;
}

std::string log_file(LogFileKind kind, Offset offset) {
  return fmt::format("{:020}{}", offset.value, kSuffixes[static_cast<size_t>(kind)]);
}

std::optional<LogFile> parse_log_file(std::string_view name) {
  bool deleted = name.ends_with(kDeletedSuffix);
  if (deleted) name.remove_suffix(kDeletedSuffix.size());
  if (name.size() <= kOffsetDigits) return std::nullopt;
  auto offset = number<int64_t>(name.substr(0, kOffsetDigits));
  auto suffix = std::ranges::find(kSuffixes, name.substr(kOffsetDigits));
  if (!offset || suffix == kSuffixes.end()) return std::nullopt;
  return LogFile{static_cast<LogFileKind>(suffix - kSuffixes.begin()), Offset(*offset), deleted};
}

}  // namespace strom::model::local_paths
