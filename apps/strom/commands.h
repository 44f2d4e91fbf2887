// The subcommands of the binary: one file each. Every function adds its command to the command line; what it
// returns is run when the user chose it, and gives the exit status.
#pragma once

#include <functional>

#include <CLI/CLI.hpp>

namespace strom::app {

using Command = std::function<int()>;

Command add_server_command(CLI::App& app);
Command add_config_command(CLI::App& app);
Command add_version_command(CLI::App& app);

}  // namespace strom::app
