// Response: what a handler gives back for one request: an Error for the whole request, or the body of the
// API's answer (whose buckets may still carry errors of their own). A value: it may cross threads.
#pragma once

#include <utility>

#include "base/result.h"
#include "rpc/payload.h"

namespace strom::rpc {

class [[nodiscard]] Response {
 public:
  Response(Error error) : state_(std::move(error)) {}                   // NOLINT: implicit on purpose
  Response(Payload body) : state_(std::move(body)) {}                   // NOLINT: implicit on purpose
  Response(Slice body) : state_(Payload(std::move(body))) {}            // NOLINT: implicit on purpose
  Response(Result<Payload> result) : state_(std::move(result)) {}       // NOLINT: implicit on purpose
  Response(Result<Slice> result) : state_(widen(std::move(result))) {}  // NOLINT: implicit on purpose

  bool ok() const { return state_.ok(); }
  const Error& error() const { return state_.error(); }
  const Payload& body() const { return state_.value(); }
  Payload take_body() && { return std::move(state_).value(); }

 private:
  static Result<Payload> widen(Result<Slice> result) {
    if (!result.ok()) return std::move(result).error();
    return Payload(std::move(result).value());
  }
  Result<Payload> state_;
};

}  // namespace strom::rpc
