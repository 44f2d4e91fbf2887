#include <fmt/format.h>

#include "commands.h"

namespace strom::app {

Command add_version_command(CLI::App& app) {
  app.add_subcommand("version", "Print the version.");
  return [] {
    fmt::print("strom {}\n", STROM_VERSION);
    return 0;
  };
}

}  // namespace strom::app
