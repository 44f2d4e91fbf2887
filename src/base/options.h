// The options of a server: Fluss's keys from `server.yaml`, one `key: value` a line, overridden by `-D
// key=value`.
//   options.get(option::kDataDir)
// The catalogue is options.inc; docs/config.md is made from it. Immutable once loaded; any thread.
// Upstream counterpart: config/ConfigOptions, config/GlobalConfiguration.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/options_value.h"
#include "base/result.h"

namespace strom {

enum class OptionScope { kServer, kCoordinator, kTablet };

// What the catalogue says of an option, whatever its type.
struct OptionRow {
  std::string_view key;
  OptionValue kind;  // a value of the option's type
  std::string_view default_text;
  OptionScope scope = OptionScope::kServer;
  Constraint constraint;
  std::string_view description;
};
std::span<const OptionRow> option_rows();

// A row of the catalogue as a typed name.
template <class T>
struct Option {
  size_t row = 0;
};

namespace option {
using Duration = std::chrono::milliseconds;
enum Row : size_t {
#define STROM_OPTION(name, ...) name##Row,
#include "base/options.inc"
#undef STROM_OPTION
  kRowCount
};
#define STROM_OPTION(name, key, type, ...) inline constexpr Option<type> name{name##Row};
#include "base/options.inc"
#undef STROM_OPTION
}  // namespace option

// One line of a configuration. `origin` says where it stood: "server.yaml:3" or "-D".
struct OptionSetting {
  std::string key;
  std::string value;
  std::string origin;
};

// The lines of a configuration file. Not YAML: no nesting, no quotes, everything after a `#` is dropped, even
// inside a value, and the colon is followed by a space. `name` is used in origins and errors.
Result<std::vector<OptionSetting>> parse_option_lines(std::string_view text, std::string_view name);
Result<std::vector<OptionSetting>> read_option_file(const std::string& path);
// `key=value`
Result<OptionSetting> parse_option_override(std::string_view text);

class Options {
 public:
  // The default of every option.
  Options();
  // Later settings of a key win. kInvalidConfig for a value that is not allowed, naming key, value and what
  // is allowed, and for a setting that would turn on what Strom can't do yet.
  static Result<Options> from_settings(std::span<const OptionSetting> settings);

  template <class T>
  const T& get(Option<T> option) const {
    return std::get<T>(values_[option.row]);
  }
  // Whether the configuration gives a value, rather than the catalogue.
  template <class T>
  bool is_set(Option<T> option) const {
    return set_[option.row];
  }

  // Keys that neither Strom nor Fluss has, in order and once each: the server warns of them in one line.
  const std::vector<std::string>& unknown_keys() const { return unknown_keys_; }

 private:
  Status apply(const OptionSetting& setting);
  Status finish();

  std::array<OptionValue, option::kRowCount> values_;
  std::array<bool, option::kRowCount> set_{};
  std::vector<std::string> unknown_keys_;
};

}  // namespace strom
