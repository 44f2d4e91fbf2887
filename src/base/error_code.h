// The error codes of the Fluss protocol. They are the only error codes in Strom: every layer speaks them, so
// nothing is mapped on the way to the client. Upstream counterpart: rpc/protocol/Errors.
#pragma once

#include <cstdint>
#include <string_view>

namespace strom {

enum class ErrorCode : int32_t {
#define STROM_ERROR(name, code, text, retriable) name = code,
#include "base/error_code.inc"
#undef STROM_ERROR
};

// Name of the code as Fluss writes it, e.g. "TABLE_NOT_EXIST"; "UNKNOWN" for a number that no code has.
std::string_view error_name(ErrorCode code);

// True when a client that gets this code may send the same request again.
bool is_retriable(ErrorCode code);

}  // namespace strom
