// Log lines for the operator: one event a line, `time level module message key=value …`, to standard error.
// The only file that knows the logging library is logging.cc. Any thread.
#pragma once

#include <string_view>

#include <fmt/format.h>

namespace strom {

enum class LogLevel { kDebug, kInfo, kWarn, kError };

// Lines below `level` are dropped. Default kInfo.
void set_log_level(LogLevel level);
bool log_enabled(LogLevel level);
void write_log(LogLevel level, std::string_view module, std::string_view message);
// Writes what is buffered; called before the process ends.
void flush_log();

template <class... Args>
void log_at(LogLevel level, std::string_view module, fmt::format_string<Args...> format, Args&&... args) {
  if (log_enabled(level)) write_log(level, module, fmt::format(format, std::forward<Args>(args)...));
}

// log_info("replica", "became leader bucket={} epoch={}", bucket, epoch)
template <class... Args>
void log_debug(std::string_view module, fmt::format_string<Args...> format, Args&&... args) {
  log_at(LogLevel::kDebug, module, format, std::forward<Args>(args)...);
}
template <class... Args>
void log_info(std::string_view module, fmt::format_string<Args...> format, Args&&... args) {
  log_at(LogLevel::kInfo, module, format, std::forward<Args>(args)...);
}
template <class... Args>
void log_warn(std::string_view module, fmt::format_string<Args...> format, Args&&... args) {
  log_at(LogLevel::kWarn, module, format, std::forward<Args>(args)...);
}
template <class... Args>
void log_error(std::string_view module, fmt::format_string<Args...> format, Args&&... args) {
  log_at(LogLevel::kError, module, format, std::forward<Args>(args)...);
}

}  // namespace strom
