#include "base/options.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/options_known.h"

namespace strom {
namespace {

using option::Duration;
using enum OptionScope;

constexpr Constraint at_least(double min) { return {.min = min}; }
constexpr Constraint between(double min, double max) { return {.min = min, .max = max}; }
constexpr Constraint one_of(std::string_view words) { return {.one_of = words}; }

const OptionRow kRows[] = {
#define STROM_OPTION(name, key, type, default_text, scope, constraint, description) \
  {key, OptionValue(std::in_place_type<type>), default_text, scope, constraint, description},
#include "base/options.inc"
#undef STROM_OPTION
};

const OptionRow* find_row(std::string_view key) {
  const auto found = std::ranges::find(kRows, key, &OptionRow::key);
  return found == std::end(kRows) ? nullptr : found;
}

Error refuse(const OptionSetting& setting, std::string_view reason) {
  return make_error(ErrorCode::kInvalidConfig, "{}: the value '{}' of {} can't be used: {}", setting.origin,
                    setting.value, setting.key, reason);
}

bool has_listener(const Listeners& listeners, std::string_view name) {
  return std::ranges::find(listeners, name, &Listener::name) != listeners.end();
}

std::string names_of(const Listeners& listeners) {
  std::string names;
  for (const Listener& listener : listeners) names += (names.empty() ? "" : ", ") + listener.name;
  return names;
}

}  // namespace

std::span<const OptionRow> option_rows() { return kRows; }

Result<std::vector<OptionSetting>> parse_option_lines(std::string_view text, std::string_view name) {
  std::vector<OptionSetting> settings;
  for (int number = 1; !text.empty(); ++number) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::string_view content = trim(line.substr(0, line.find('#')));
    if (content.empty()) continue;
    const size_t colon = content.find(": ");
    if (colon == 0 || colon == std::string_view::npos) {
      return make_error(ErrorCode::kInvalidConfig,
                        "{}:{}: expected 'key: value' with a space after the colon, found '{}'", name, number,
                        content);
    }
    settings.push_back({std::string(trim(content.substr(0, colon))),
                        std::string(trim(content.substr(colon + 2))), fmt::format("{}:{}", name, number)});
  }
  return settings;
}

Result<std::vector<OptionSetting>> read_option_file(const std::string& path) {
  std::error_code ignored;
  std::ifstream file(path, std::ios::binary);
  if (!file || std::filesystem::is_directory(path, ignored)) {
    return make_error(ErrorCode::kInvalidConfig, "the configuration file {} can't be read", path);
  }
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  return parse_option_lines(text, path);
}

Result<OptionSetting> parse_option_override(std::string_view text) {
  const size_t equals = text.find('=');
  const std::string_view key = trim(text.substr(0, equals));
  if (key.empty() || equals == std::string_view::npos) {
    return make_error(ErrorCode::kInvalidConfig, "-D: expected key=value, found '{}'", text);
  }
  return OptionSetting{std::string(key), std::string(trim(text.substr(equals + 1))), "-D"};
}

Options::Options() {
  for (size_t row = 0; row < option::kRowCount; ++row) {
    auto value = parse_option_value(kRows[row].default_text, kRows[row].kind, kRows[row].constraint);
    STROM_CHECK(value.ok(), "default of {}: {}", kRows[row].key, value.error().message);
    values_[row] = *std::move(value);
  }
  std::get<std::string>(values_[option::kRemoteDataDir.row]) = get(option::kDataDir) + "/remote.data";
}

Result<Options> Options::from_settings(std::span<const OptionSetting> settings) {
  Options options;
  for (const OptionSetting& setting : settings) STROM_TRY(options.apply(setting));
  STROM_TRY(options.finish());
  return options;
}

Status Options::apply(const OptionSetting& setting) {
  if (auto supported = check_supported(setting.key, setting.value); !supported) {
    return refuse(setting, supported.error().message);
  }
  const OptionRow* row = find_row(current_option_key(setting.key));
  if (row == nullptr) {
    const bool seen = std::ranges::find(unknown_keys_, setting.key) != unknown_keys_.end();
    if (!seen && !is_unused_option(setting.key)) unknown_keys_.push_back(setting.key);
    return {};
  }
  auto value = parse_option_value(setting.value, row->kind, row->constraint);
  if (!value) return refuse(setting, value.error().message);
  values_[row - kRows] = *std::move(value);
  set_[row - kRows] = true;
  return {};
}

// What several options must be together.
Status Options::finish() {
  if (get(option::kRemoteDataDir).empty() || !is_set(option::kRemoteDataDir)) {
    std::get<std::string>(values_[option::kRemoteDataDir.row]) = get(option::kDataDir) + "/remote.data";
  }
  if (get(option::kDataDir).empty()) {
    return make_error(ErrorCode::kInvalidConfig, "data.dir is empty; allowed is the path of a directory");
  }
  const Listeners& bound = get(option::kBindListeners);
  if (bound.empty()) {
    return make_error(ErrorCode::kInvalidConfig,
                      "bind.listeners is empty; allowed is NAME://host:port, at least one");
  }
  for (const Listener& listener : get(option::kAdvertisedListeners)) {
    if (has_listener(bound, listener.name)) continue;
    return make_error(ErrorCode::kInvalidConfig,
                      "advertised.listeners names {}, which bind.listeners does not have; allowed are {}",
                      listener.name, names_of(bound));
  }
  if (is_set(option::kInternalListenerName) && !has_listener(bound, get(option::kInternalListenerName))) {
    return make_error(ErrorCode::kInvalidConfig,
                      "internal.listener.name is {}, which bind.listeners does not have; allowed are {}",
                      get(option::kInternalListenerName), names_of(bound));
  }
  if (get(option::kDiskWriteRecoverRatio) > get(option::kDiskWriteLimitRatio)) {
    return make_error(ErrorCode::kInvalidConfig,
                      "server.data-disk.write-recover-ratio is {}; allowed is at most "
                      "server.data-disk.write-limit-ratio, {}",
                      get(option::kDiskWriteRecoverRatio), get(option::kDiskWriteLimitRatio));
  }
  return {};
}

}  // namespace strom
