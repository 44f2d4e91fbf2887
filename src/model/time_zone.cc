#include "model/time_zone.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <optional>
#include <vector>

#include "base/endian.h"
#include "model/posix_tz.h"

namespace strom::model {

struct TimeZone::Rules {
  std::vector<int64_t> transitions;   // ascending instants
  std::vector<int32_t> offsets;       // from each transition on
  int32_t first_offset = 0;           // before the first transition
  std::optional<PosixTimeZone> tail;  // after the last transition
};

namespace {

constexpr std::string_view kDatabase = "/usr/share/zoneinfo/";
constexpr size_t kMaxFile = 1 << 20;
constexpr size_t kHeader = 44;

// The six counts of a TZif header, in the order of the file.
struct Header {
  uint32_t utc_flags, standard_flags, leap_seconds, transitions, types, name_bytes;

  size_t block_size(size_t time_size) const {
    return size_t{transitions} * (time_size + 1) + size_t{types} * 6 + name_bytes +
           size_t{leap_seconds} * (time_size + 4) + standard_flags + utc_flags;
  }
};

std::optional<Header> read_header(ByteView file) {
  if (file.size() < kHeader || as_text(file.first(4)) != "TZif") return std::nullopt;
  uint32_t counts[6];
  for (size_t i = 0; i < 6; ++i) counts[i] = load_be<uint32_t>(file.data() + 20 + 4 * i);
  for (uint32_t count : counts) {
    if (count > kMaxFile) return std::nullopt;
  }
  return Header{counts[0], counts[1], counts[2], counts[3], counts[4], counts[5]};
}

Buffer read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  Buffer bytes;
  char block[4096];
  while (bytes.size() < kMaxFile && file.read(block, sizeof(block)).gcount() > 0) {
    bytes.insert(bytes.end(), block, block + file.gcount());
  }
  return bytes;
}

// "+8", "-05:30", "+0800" in seconds.
std::optional<int32_t> parse_offset(std::string_view text) {
  if (!text.starts_with('+') && !text.starts_with('-')) return std::nullopt;
  int32_t sign = text.starts_with('-') ? -1 : 1;
  std::string digits;
  size_t colon = text.find(':');
  std::string_view hours = text.substr(1, colon == std::string_view::npos ? text.size() : colon - 1);
  std::string_view minutes = colon == std::string_view::npos ? "" : text.substr(colon + 1);
  if (colon == std::string_view::npos && (hours.size() == 3 || hours.size() == 4)) {
    minutes = hours.substr(hours.size() - 2);
    hours.remove_suffix(2);
  }
  auto number = [](std::string_view part) -> std::optional<int32_t> {
    if (part.empty() || part.size() > 2 || part.find_first_not_of("0123456789") != std::string_view::npos)
      return {};
    int32_t value = 0;
    std::from_chars(part.data(), part.data() + part.size(), value);
    return value;
  };
  auto hour = number(hours);
  auto minute = minutes.empty() && colon == std::string_view::npos ? std::optional(0) : number(minutes);
  if (!hour || !minute || *hour > 23 || *minute > 59) return std::nullopt;
  return sign * (*hour * 3600 + *minute * 60);
}

// A name of the database is a relative path of letters, digits, '_', '-', '+' and '/'.
bool is_database_name(std::string_view id) {
  return !id.empty() && id.front() != '/' && std::ranges::all_of(id, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("_-+/").contains(c);
  });
}

Error broken(std::string_view id) {
  return make_error(ErrorCode::kInvalidConfig, "the system's file of time zone '{}' can't be read", id);
}

}  // namespace

TimeZone TimeZone::fixed(int32_t offset_seconds) {
  TimeZone zone;
  zone.fixed_offset_ = offset_seconds;
  return zone;
}

Result<TimeZone> TimeZone::parse_tzif(ByteView file, std::string_view id) {
  std::optional<Header> header = read_header(file);
  if (!header) return broken(id);
  size_t time_size = 4;
  if (file[4] >= '2') {  // a second block with 64-bit times follows the first
    size_t skip = kHeader + header->block_size(4);
    if (file.size() < skip) return broken(id);
    file = file.subspan(skip);
    header = read_header(file);
    time_size = 8;
  }
  if (!header || header->types == 0 || file.size() < kHeader + header->block_size(time_size))
    return broken(id);

  const uint8_t* times = file.data() + kHeader;
  const uint8_t* indexes = times + size_t{header->transitions} * time_size;
  const uint8_t* types = indexes + header->transitions;
  auto rules = std::make_shared<Rules>();
  rules->first_offset = load_be<int32_t>(types);
  for (uint32_t i = 0; i < header->transitions; ++i) {
    if (indexes[i] >= header->types) return broken(id);
    const uint8_t* time = times + i * time_size;
    rules->transitions.push_back(time_size == 8 ? load_be<int64_t>(time) : load_be<int32_t>(time));
    rules->offsets.push_back(load_be<int32_t>(types + 6 * size_t{indexes[i]}));
  }
  if (!std::ranges::is_sorted(rules->transitions)) return broken(id);
  std::string_view footer = as_text(file.subspan(kHeader + header->block_size(time_size)));
  if (time_size == 8 && footer.size() > 2 && footer.starts_with('\n')) {
    rules->tail = PosixTimeZone::parse(footer.substr(1, footer.find('\n', 1) - 1));
  }
  TimeZone zone;
  zone.rules_ = std::move(rules);
  return zone;
}

Result<TimeZone> TimeZone::find(std::string_view id) {
  if (id == "UTC" || id == "GMT" || id == "Z") return TimeZone();
  std::string_view offset = id.starts_with("UTC") || id.starts_with("GMT") ? id.substr(3) : id;
  if (auto seconds = parse_offset(offset)) return fixed(*seconds);
  if (is_database_name(id)) {
    Buffer file = read_file(fmt::format("{}{}", kDatabase, id));
    if (!file.empty()) return parse_tzif(file, id);
  }
  return make_error(
      ErrorCode::kInvalidConfig,
      "'{}' is no time zone of this machine: expected an offset such as 'GMT+8', or a name such as "
      "'Europe/Berlin' of its database (package tzdata)",
      id);
}

TimeZone TimeZone::of_machine() {
  const char* name = std::getenv("TZ");
  if (name != nullptr && *name != '\0') {
    std::string_view id(name);
    Result<TimeZone> zone = find(id.starts_with(':') ? id.substr(1) : id);
    return zone.ok() ? *std::move(zone) : TimeZone();
  }
  Buffer file = read_file("/etc/localtime");
  Result<TimeZone> zone = parse_tzif(file, "/etc/localtime");
  return zone.ok() ? *std::move(zone) : TimeZone();
}

int32_t TimeZone::offset_at(int64_t epoch_seconds) const {
  if (rules_ == nullptr) return fixed_offset_;
  auto next = std::ranges::upper_bound(rules_->transitions, epoch_seconds);
  if (next == rules_->transitions.end() && rules_->tail) return rules_->tail->offset_at(epoch_seconds);
  if (next == rules_->transitions.begin()) return rules_->first_offset;
  return rules_->offsets[static_cast<size_t>(next - rules_->transitions.begin()) - 1];
}

}  // namespace strom::model
