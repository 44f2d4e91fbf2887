// STROM_CHECK: an invariant of the program that must hold. When it does not, memory or state is wrong and
// going on could damage data: the process says what broke and aborts. Bad input is never a reason: that is an
// Error (base/result.h).
#pragma once

#include <string>
#include <string_view>

#include <fmt/format.h>

namespace strom {
[[noreturn]] void check_failed(const char* file, int line, const char* condition, std::string_view message);
}  // namespace strom

// STROM_CHECK(condition) or STROM_CHECK(condition, "format {}", value)
#define STROM_CHECK(condition, ...)                                                               \
  do {                                                                                            \
    if (!(condition)) [[unlikely]]                                                                \
      ::strom::check_failed(__FILE__, __LINE__, #condition, ::strom::check_message(__VA_ARGS__)); \
  } while (false)

namespace strom {
inline std::string check_message() { return {}; }
template <class... Args>
std::string check_message(fmt::format_string<Args...> format, Args&&... args) {
  return fmt::format(format, std::forward<Args>(args)...);
}
}  // namespace strom
