#include "log/checkpoint.h"

#include <charconv>
#include <vector>

#include <fmt/format.h>

namespace strom::log {
namespace {

constexpr int64_t kVersion = 0;

Error malformed(size_t line, std::string_view expected, std::string_view found) {
  return make_error(ErrorCode::kCorruptMessage, "line {}: expected {}, found '{}'", line, expected, found);
}

std::optional<std::vector<int64_t>> numbers(std::string_view line) {
  std::vector<int64_t> values;
  while (!line.empty()) {
    size_t space = std::min(line.find(' '), line.size());
    int64_t value = 0;
    auto [end, failure] = std::from_chars(line.data(), line.data() + space, value);
    if (failure != std::errc{} || end != line.data() + space) return std::nullopt;
    values.push_back(value);
    line.remove_prefix(std::min(space + 1, line.size()));
  }
  return values;
}

// One line of text, and its number.
class Lines {
 public:
  explicit Lines(std::string_view text) : rest_(text) {}
  std::optional<std::string_view> next() {
    if (rest_.empty()) return std::nullopt;
    ++number_;
    size_t end = std::min(rest_.find('\n'), rest_.size());
    std::string_view line = rest_.substr(0, end);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    return line;
  }
  Result<int64_t> next_number(std::string_view what) {
    std::string_view line = next().value_or("");
    auto values = numbers(line);
    if (!values || values->size() != 1 || values->front() < 0) return malformed(number_, what, line);
    return values->front();
  }
  size_t number() const { return number_; }

 private:
  std::string_view rest_;
  size_t number_ = 0;
};

Result<std::pair<model::TableBucket, model::Offset>> parse_entry(size_t line, std::string_view text) {
  const Error error = malformed(line, "'table [partition] bucket offset'", text);
  auto values = numbers(text);
  if (!values || values->size() < 3 || values->size() > 4) return error;
  const int64_t bucket = (*values)[values->size() - 2];
  if (bucket < 0 || bucket > INT32_MAX || values->back() < 0) return error;
  model::TableBucket key{model::TableId(values->front()), std::nullopt,
                         model::BucketId(static_cast<int32_t>(bucket))};
  if (values->size() == 4) key.partition = model::PartitionId((*values)[1]);
  return std::pair(key, model::Offset(values->back()));
}

}  // namespace

std::string render_checkpoint(const OffsetMap& offsets) {
  std::string text = fmt::format("{}\n{}\n", kVersion, offsets.size());
  for (const auto& [bucket, offset] : offsets) {
    fmt::format_to(std::back_inserter(text), "{} ", bucket.table);
    if (bucket.partition) fmt::format_to(std::back_inserter(text), "{} ", *bucket.partition);
    fmt::format_to(std::back_inserter(text), "{} {}\n", bucket.bucket, offset);
  }
  return text;
}

Result<OffsetMap> parse_checkpoint(std::string_view text) {
  Lines lines(text);
  int64_t version = STROM_TRY(lines.next_number("version 0"));
  if (version != kVersion) return malformed(1, "version 0", std::to_string(version));
  int64_t count = STROM_TRY(lines.next_number("the number of entries"));
  OffsetMap offsets;
  int64_t found = 0;
  while (auto line = lines.next()) {
    auto [bucket, offset] = STROM_TRY(parse_entry(lines.number(), *line));
    offsets[bucket] = offset;
    ++found;
  }
  if (found != count) {
    return make_error(ErrorCode::kCorruptMessage, "expected {} entries, found {}", count, found);
  }
  return offsets;
}

Status OffsetCheckpoint::load() {
  OffsetMap offsets;
  Status status;
  if (disk_.exists(path_)) {
    auto content = disk_.read_file(path_);
    auto parsed = content.ok() ? parse_checkpoint(as_text(*content)) : Result<OffsetMap>(content.error());
    if (parsed.ok()) {
      offsets = *std::move(parsed);
    } else {
      status = make_error(ErrorCode::kLogStorage, "can't use {}: {}", path_, parsed.error().message);
    }
  }
  std::lock_guard lock(mutex_);
  offsets_ = std::move(offsets);
  if (!status.ok()) ++changes_;
  return status;
}

std::optional<model::Offset> OffsetCheckpoint::get(const model::TableBucket& bucket) const {
  std::lock_guard lock(mutex_);
  auto found = offsets_.find(bucket);
  return found == offsets_.end() ? std::nullopt : std::optional(found->second);
}

void OffsetCheckpoint::set(const model::TableBucket& bucket, model::Offset offset) {
  std::lock_guard lock(mutex_);
  auto [entry, added] = offsets_.try_emplace(bucket, offset);
  if (!added && entry->second == offset) return;
  entry->second = offset;
  ++changes_;
}

void OffsetCheckpoint::erase(const model::TableBucket& bucket) {
  std::lock_guard lock(mutex_);
  if (offsets_.erase(bucket) == 0) return;
  erased_.insert(bucket);
  ++changes_;
}

Status OffsetCheckpoint::erase_durably(const model::TableBucket& bucket) {
  erase(bucket);
  {
    std::lock_guard lock(mutex_);
    if (!erased_.contains(bucket)) return {};
  }
  return write();
}

Status OffsetCheckpoint::write() {
  std::lock_guard writing(writing_);
  OffsetMap offsets;
  uint64_t changes = 0;
  {
    std::lock_guard lock(mutex_);
    if (changes_ == written_changes_) return {};
    offsets = offsets_;
    changes = changes_;
  }
  STROM_TRY(disk_.replace_file(path_, as_bytes(render_checkpoint(offsets))));
  std::lock_guard lock(mutex_);
  written_changes_ = changes;
  std::erase_if(erased_, [&](const model::TableBucket& bucket) { return !offsets.contains(bucket); });
  return {};
}

}  // namespace strom::log
