// The catalogue of options as text: a sample configuration, and the page docs/config.md.
#pragma once

#include <string>

namespace strom {

// A server.yaml in which every option stands with its default, commented out.
std::string render_sample_config();

// The page docs/config.md. `./dev gen` writes it; a test compares it.
std::string render_options_markdown();

}  // namespace strom
