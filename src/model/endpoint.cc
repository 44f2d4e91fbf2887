#include "model/endpoint.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

namespace strom::model {
namespace {

std::string_view trim(std::string_view text) {
  size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

bool is_host_character(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         std::string_view("-%._:").contains(c);
}

// "host", "[::1]" or "::1".
Result<std::string> parse_host(std::string_view text) {
  if (text.starts_with('[') && text.ends_with(']')) text = text.substr(1, text.size() - 2);
  if (!std::ranges::all_of(text, is_host_character)) {
    return make_error(ErrorCode::kInvalidConfig, "'{}' is no host name or address", text);
  }
  return std::string(text);
}

Result<Endpoint> parse_endpoint(std::string_view text) {
  auto wrong = [&] {
    return make_error(ErrorCode::kInvalidConfig,
                      "'{}' is no endpoint: expected NAME://host:port with a port of 0 to 65535", text);
  };
  size_t scheme = text.find("://");
  size_t colon = text.rfind(':');
  if (scheme == std::string_view::npos || scheme == 0 || colon < scheme + 3) return wrong();
  std::string_view port_text = text.substr(colon + 1);
  int32_t port = 0;
  auto [end, failure] = std::from_chars(port_text.data(), port_text.data() + port_text.size(), port);
  if (failure != std::errc{} || end != port_text.data() + port_text.size() || port < 0 || port > 65535) {
    return wrong();
  }
  std::string host = STROM_TRY(parse_host(text.substr(scheme + 3, colon - scheme - 3)));
  return Endpoint{std::string(text.substr(0, scheme)), std::move(host), port};
}

}  // namespace

std::string Endpoint::to_string() const { return fmt::format("{}://{}:{}", listener, host, port); }

Result<std::vector<Endpoint>> parse_endpoints(std::string_view text) {
  std::vector<Endpoint> endpoints;
  if (trim(text).empty()) return endpoints;
  for (size_t from = 0; from <= text.size();) {
    size_t comma = std::min(text.find(',', from), text.size());
    Endpoint endpoint = STROM_TRY(parse_endpoint(trim(text.substr(from, comma - from))));
    if (find_endpoint(endpoints, endpoint.listener) != nullptr) {
      return make_error(ErrorCode::kInvalidConfig, "listener '{}' comes twice in '{}'", endpoint.listener,
                        text);
    }
    endpoints.push_back(std::move(endpoint));
    from = comma + 1;
  }
  return endpoints;
}

std::string to_string(std::span<const Endpoint> endpoints) {
  std::string text;
  for (const Endpoint& endpoint : endpoints) {
    if (!text.empty()) text += ',';
    text += endpoint.to_string();
  }
  return text;
}

const Endpoint* find_endpoint(std::span<const Endpoint> endpoints, std::string_view listener) {
  auto at = std::ranges::find(endpoints, listener, &Endpoint::listener);
  return at == endpoints.end() ? nullptr : &*at;
}

}  // namespace strom::model
