// Result<T>: a value or an Error. Every function that can fail because of input or environment returns one.
// The message of an Error says what was expected, what was found, where, and what the user can do.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "base/check.h"
#include "base/error_code.h"

namespace strom {

struct Error {
  ErrorCode code = ErrorCode::kUnknownServerError;
  std::string message;
};

// error(ErrorCode::kTableNotExist, "table {} does not exist", path)
template <class... Args>
[[nodiscard]] Error make_error(ErrorCode code, fmt::format_string<Args...> format, Args&&... args) {
  return Error{code, fmt::format(format, std::forward<Args>(args)...)};
}

template <class T>
class [[nodiscard]] Result {
 public:
  using value_type = T;

  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}      // NOLINT: implicit on purpose
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}  // NOLINT: implicit on purpose

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  T& value() & { return check(), std::get<0>(state_); }
  const T& value() const& { return check(), std::get<0>(state_); }
  T&& value() && { return check(), std::get<0>(std::move(state_)); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  const Error& error() const& { return std::get<1>(state_); }
  Error&& error() && { return std::get<1>(std::move(state_)); }
  ErrorCode code() const { return ok() ? ErrorCode::kNone : error().code; }

 private:
  void check() const { STROM_CHECK(ok(), "value of a failed result: {}", std::get<1>(state_).message); }
  std::variant<T, Error> state_;
};

template <>
class [[nodiscard]] Result<void> {
 public:
  using value_type = void;

  Result() = default;
  Result(Error error) : error_(std::move(error)) {}  // NOLINT: implicit on purpose

  bool ok() const { return !error_; }
  explicit operator bool() const { return ok(); }
  void value() const { STROM_CHECK(ok(), "value of a failed result: {}", error_->message); }
  const Error& error() const& { return *error_; }
  Error&& error() && { return *std::move(error_); }
  ErrorCode code() const { return ok() ? ErrorCode::kNone : error_->code; }

 private:
  std::optional<Error> error_;
};

using Status = Result<void>;

}  // namespace strom

// auto value = STROM_TRY(function_that_returns_a_result());   returns the error to the caller, else yields
// the value.
#define STROM_TRY(expression)                  \
  ({                                           \
    auto&& strom_result_ = (expression);       \
    if (!strom_result_.ok()) [[unlikely]]      \
      return std::move(strom_result_).error(); \
    std::move(strom_result_).value();          \
  })

// The same inside a coroutine:  auto value = STROM_CO_TRY(co_await task());
#define STROM_CO_TRY(expression)                  \
  ({                                              \
    auto strom_result_ = (expression);            \
    if (!strom_result_.ok()) [[unlikely]]         \
      co_return std::move(strom_result_).error(); \
    std::move(strom_result_).value();             \
  })
