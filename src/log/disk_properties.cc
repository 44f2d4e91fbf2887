#include "log/disk_properties.h"

#include <charconv>
#include <map>

#include <fmt/format.h>

namespace strom::log {
namespace {

std::string_view trim(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\f";
  size_t first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

std::map<std::string, std::string> parse_properties(std::string_view text) {
  std::map<std::string, std::string> properties;
  while (!text.empty()) {
    size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = trim(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty() || line.front() == '#' || line.front() == '!') continue;
    size_t separator = std::min(line.find_first_of("=:"), line.size());
    std::string_view value = line.substr(std::min(separator + 1, line.size()));
    properties[std::string(trim(line.substr(0, separator)))] = trim(value);
  }
  return properties;
}

}  // namespace

std::string render_disk_properties(const DiskProperties& properties) {
  return fmt::format("version=1\ndisk.id={}\nserver.id={}\n", properties.disk_id, properties.server);
}

Result<DiskProperties> parse_disk_properties(std::string_view text) {
  auto properties = parse_properties(text);
  if (properties["version"] != "1") {
    return make_error(ErrorCode::kLogStorage, "expected version=1, found '{}'", properties["version"]);
  }
  DiskProperties parsed{.disk_id = properties["disk.id"]};
  if (parsed.disk_id.empty()) return make_error(ErrorCode::kLogStorage, "disk.id is missing");
  const std::string& server = properties["server.id"];
  auto [end, failure] = std::from_chars(server.data(), server.data() + server.size(), parsed.server.value);
  if (failure != std::errc{} || end != server.data() + server.size()) {
    return make_error(ErrorCode::kLogStorage, "expected a number for server.id, found '{}'", server);
  }
  return parsed;
}

std::string make_disk_id(uint64_t high, uint64_t low) {
  high = (high & ~uint64_t{0xf000}) | 0x4000;
  low = (low & ~(uint64_t{3} << 62)) | (uint64_t{2} << 62);
  return fmt::format("{:08x}-{:04x}-{:04x}-{:04x}-{:012x}", high >> 32, (high >> 16) & 0xffff, high & 0xffff,
                     low >> 48, low & 0xffffffffffff);
}

}  // namespace strom::log
