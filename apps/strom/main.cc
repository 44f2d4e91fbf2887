// strom: the command line.
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "commands.h"

int main(int argc, char** argv) {
  using namespace strom::app;
  CLI::App app{"Strom: a streaming storage server that speaks the Apache Fluss protocol.", "strom"};
  app.require_subcommand(0, 1);  // with 1, a command that there is none of is reported as missing
  std::vector<std::pair<std::string, Command>> commands{{"server", add_server_command(app)},
                                                        {"config", add_config_command(app)},
                                                        {"version", add_version_command(app)}};
  CLI11_PARSE(app, argc, argv);
  for (auto& [name, command] : commands) {
    if (app.got_subcommand(name)) return command();
  }
  fmt::print(stderr, "{}", app.help());
  return 1;
}
