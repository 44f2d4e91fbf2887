#include "base/options_value.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/quantity.h"

namespace strom {
namespace {

template <class... Args>
Error invalid(fmt::format_string<Args...> format, Args&&... args) {
  return make_error(ErrorCode::kInvalidConfig, format, std::forward<Args>(args)...);
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const size_t end = text.find(separator);
    parts.push_back(trim(text.substr(0, end)));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

template <class Number>
std::optional<Number> parse_number(std::string_view text) {
  Number value{};
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc() || end != text.data() + text.size()) return std::nullopt;
  if constexpr (std::is_floating_point_v<Number>) {
    if (!std::isfinite(value)) return std::nullopt;
  }
  return value;
}

bool within(double value, const Constraint& constraint) {
  return constraint.min <= value && value <= constraint.max;
}

std::string range_text(const Constraint& constraint, std::string_view unit) {
  const bool low = std::isfinite(constraint.min);
  const bool high = std::isfinite(constraint.max);
  if (low && high) return fmt::format(" from {}{} to {}{}", constraint.min, unit, constraint.max, unit);
  if (low) return fmt::format(" of at least {}{}", constraint.min, unit);
  if (high) return fmt::format(" of at most {}{}", constraint.max, unit);
  return {};
}

std::string words_text(std::string_view one_of) {
  std::string text = "one of ";
  for (std::string_view word : split(one_of, '|'))
    text += fmt::format("{}{}", text.size() > 7 ? ", " : "", word);
  return text;
}

// One overload a type: reads `text` into `out`, without regard to the constraint; false if it is not of the
// type.
bool read(std::string_view text, bool& out) {
  const std::string lower = to_lower(text);
  out = lower == "true";
  return out || lower == "false";
}
template <class Number>
  requires std::is_arithmetic_v<Number>
bool read(std::string_view text, Number& out) {
  const auto number = parse_number<Number>(text);
  return number ? (out = *number, true) : false;
}
bool read(std::string_view text, std::string& out) { return out = text, true; }
bool read(std::string_view text, std::chrono::milliseconds& out) {
  auto duration = parse_duration(text);
  return duration ? (out = *duration, true) : false;
}
bool read(std::string_view text, MemorySize& out) {
  auto bytes = parse_memory_size(text);
  return bytes ? (out.bytes = *bytes, true) : false;
}
bool read(std::string_view text, Listeners& out) {
  if (text.empty()) return out.clear(), true;
  auto listeners = parse_listeners(text);
  return listeners ? (out = std::move(*listeners), true) : false;
}
bool read(std::string_view text, OptionalHostPort& out) {
  if (text.empty()) return out.reset(), true;
  auto address = parse_host_port(text);
  return address ? (out = std::move(*address), true) : false;
}

bool allowed(const std::string& value, const Constraint& constraint) {
  if (constraint.one_of.empty() || value.empty()) return true;
  const auto words = split(constraint.one_of, '|');
  return std::ranges::find(words, value) != words.end();
}
bool allowed(std::chrono::milliseconds value, const Constraint& constraint) {
  return within(static_cast<double>(value.count()), constraint);
}
bool allowed(MemorySize value, const Constraint& constraint) {
  return within(static_cast<double>(value.bytes), constraint);
}
template <class T>
bool allowed(const T& value, const Constraint& constraint) {
  if constexpr (std::is_arithmetic_v<T> && !std::is_same_v<T, bool>) {
    return within(static_cast<double>(value), constraint);
  }
  return true;
}

struct Describe {
  const Constraint& constraint;
  std::string operator()(bool) const { return "true or false"; }
  std::string operator()(int32_t) const { return "an integer" + range_text(constraint, ""); }
  std::string operator()(int64_t) const { return "an integer" + range_text(constraint, ""); }
  std::string operator()(double) const { return "a number" + range_text(constraint, ""); }
  std::string operator()(const std::string&) const {
    return constraint.one_of.empty() ? "text" : words_text(constraint.one_of);
  }
  std::string operator()(std::chrono::milliseconds) const {
    return "a duration such as 500ms, 30 s or 7 d" +
           (range_text(constraint, " ms").empty() ? "" : "," + range_text(constraint, " ms"));
  }
  std::string operator()(MemorySize) const {
    return "a size such as 4kb, 10mb or 1g" +
           (range_text(constraint, " bytes").empty() ? "" : "," + range_text(constraint, " bytes"));
  }
  std::string operator()(const Listeners&) const {
    return "NAME://host:port, several separated by commas, each name once, ports 0 to 65535";
  }
  std::string operator()(const OptionalHostPort&) const { return "host:port, or nothing"; }
};

}  // namespace

std::string_view trim(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1);
}

std::string to_lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

std::string allowed_values(const OptionValue& kind, const Constraint& constraint) {
  return std::visit(Describe{constraint}, kind);
}

Result<OptionValue> parse_option_value(std::string_view text, const OptionValue& kind,
                                       const Constraint& constraint) {
  OptionValue value = kind;
  // Words are compared, and kept, in lower case: upstream compares them without regard to case.
  const std::string word = constraint.one_of.empty() ? std::string() : to_lower(trim(text));
  const std::string_view input = constraint.one_of.empty() ? trim(text) : std::string_view(word);
  const bool fits =
      std::visit([&](auto& typed) { return read(input, typed) && allowed(typed, constraint); }, value);
  if (!fits) return invalid("allowed is {}", allowed_values(kind, constraint));
  return value;
}

Result<HostPort> parse_host_port(std::string_view text) {
  const size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return invalid("expected host:port, found '{}'", text);
  std::string_view host = text.substr(0, colon);
  if (host.size() > 2 && host.front() == '[' && host.back() == ']') host = host.substr(1, host.size() - 2);
  const auto port = parse_number<uint16_t>(text.substr(colon + 1));
  if (host.empty() || !port)
    return invalid("expected host:port with a port from 0 to 65535, found '{}'", text);
  return HostPort{std::string(host), *port};
}

Result<Listeners> parse_listeners(std::string_view text) {
  Listeners listeners;
  for (std::string_view entry : split(text, ',')) {
    const size_t mark = entry.find("://");
    if (mark == std::string_view::npos || mark == 0)
      return invalid("expected NAME://host:port, found '{}'", entry);
    const std::string_view name = entry.substr(0, mark);
    const bool twice =
        std::ranges::any_of(listeners, [&](const Listener& other) { return other.name == name; });
    if (twice) return invalid("listener {} is there twice", name);
    listeners.push_back({std::string(name), STROM_TRY(parse_host_port(entry.substr(mark + 3)))});
  }
  return listeners;
}

}  // namespace strom
