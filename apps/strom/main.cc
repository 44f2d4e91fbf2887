// strom: the command line.
#include <utility>
#include <vector>

#include "commands.h"

int main(int argc, char** argv) {
  using namespace strom::app;
  CLI::App app{"Strom: a streaming storage server that speaks the Apache Fluss protocol.", "strom"};
  app.require_subcommand(1);
  std::vector<std::pair<std::string, Command>> commands{{"server", add_server_command(app)},
                                                        {"config", add_config_command(app)},
                                                        {"version", add_version_command(app)}};
  CLI11_PARSE(app, argc, argv);
  for (auto& [name, command] : commands) {
    if (app.got_subcommand(name)) return command();
  }
  return 1;
}
