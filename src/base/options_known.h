// Keys that are not in the catalogue of options.inc but mean something: older names, refused features, keys
// without effect.
#pragma once

#include <optional>
#include <string_view>

#include "base/result.h"

namespace strom {

// The key that `key` is an older name of, or `key` itself.
std::string_view current_option_key(std::string_view key);

// An error if the value asks for what Strom can't do yet. It tells why; the caller adds key and value.
Status check_supported(std::string_view key, std::string_view value);

// Whether Fluss knows the key, though Strom does nothing with it.
bool is_unused_option(std::string_view key);

}  // namespace strom
