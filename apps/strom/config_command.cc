// strom config: a sample configuration with every option, its default and what it means.
#include <fmt/format.h>

#include "base/options_render.h"
#include "commands.h"

namespace strom::app {

Command add_config_command(CLI::App& app) {
  app.add_subcommand("config", "Print a server.yaml with all options at their defaults.");
  return [] {
    fmt::print("{}", render_sample_config());
    return 0;
  };
}

}  // namespace strom::app
