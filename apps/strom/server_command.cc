// strom server: coordinator and tablet server in one process, with an embedded metadata store.
#include <csignal>
#include <future>

#include <fmt/format.h>

#include "async/system_runtime.h"
#include "base/logging.h"
#include "clock_file.h"
#include "commands.h"
#include "http_port.h"
#include "metastore/embedded.h"
#include "server/server.h"

namespace strom::app {

namespace {

struct Arguments {
  std::string config;
  std::vector<std::string> overrides;
};

Result<Options> load_options(const Arguments& arguments) {
  std::vector<OptionSetting> settings;
  if (!arguments.config.empty()) settings = STROM_TRY(read_option_file(arguments.config));
  for (const std::string& text : arguments.overrides)
    settings.push_back(STROM_TRY(parse_option_override(text)));
  return Options::from_settings(settings);
}

// Runs a task on the home shard's loop and waits for its value.
template <class T>
T wait_for(async::EventLoop& loop, std::function<async::Task<T>()> make) {
  std::promise<T> result;
  async::TaskScope* scope = nullptr;
  auto run = [](std::function<async::Task<T>()> work, std::promise<T>& out) -> async::Task<void> {
    out.set_value(co_await work());
  };
  std::promise<void> started;
  loop.post([&] {
    scope = new async::TaskScope(loop);
    scope->spawn(run(make, result));
    started.set_value();
  });
  started.get_future().wait();
  T value = result.get_future().get();
  std::promise<void> gone;
  loop.post([&] {
    delete scope;
    gone.set_value();
  });
  gone.get_future().wait();
  return value;
}

void say_what_runs(const Options& options, const server::Server& server) {
  log_info("server", "strom {} serves Fluss clients at {} data={} remote={} shards={}", STROM_VERSION,
           to_string(std::span(server.endpoints())), options.get(option::kDataDir),
           options.get(option::kRemoteDataDir), server.shards());
  if (!options.unknown_keys().empty()) {
    log_warn("server", "unknown configuration keys, which have no effect: {}",
             fmt::join(options.unknown_keys(), ", "));
  }
}

int fail(const Error& error) {
  flush_log();
  fmt::print(stderr, "strom server: {}\n", error.message);
  return 1;
}

int run_server(const Arguments& arguments) {
  // Signals are taken by sigwait below, not by whichever thread is running.
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  std::signal(SIGPIPE, SIG_IGN);

  auto options = load_options(arguments);
  if (!options.ok()) return fail(options.error());
  const size_t wanted = static_cast<size_t>(options->get(option::kShards));
  std::unique_ptr<ClockFile> clock;
  if (const std::string path = options->get(option::kTestClockFile); !path.empty()) {
    auto opened = ClockFile::open(path);
    if (!opened.ok()) return fail(opened.error());
    clock = std::move(*opened);
  }
  async::SystemRuntime runtime({.shards = wanted != 0 ? wanted : async::SystemRuntime::processors(),
                                .pool_threads = static_cast<size_t>(options->get(option::kIoPoolSize)),
                                .wall_clock = clock.get()});
  MetricRegistry metrics;
  async::EventLoop& home = runtime.loop(0);
  auto server = wait_for<Result<std::unique_ptr<server::Server>>>(
      home, [&] { return server::Server::start(runtime, *options, metrics, metastore::open_embedded); });
  if (!server.ok()) return fail(server.error());
  auto http =
      HttpPort::open(options->get(option::kHttpListen), metrics, [&server] { return (*server)->health(); });
  say_what_runs(*options, **server);
  Status stopped;
  if (http.ok()) {
    int signal = 0;
    sigwait(&signals, &signal);
    log_info("server", "stopping signal={}", signal);
    http->reset();
  }
  stopped = wait_for<Status>(home, [&] { return (*server)->stop(); });
  flush_log();
  if (!http.ok()) return fail(http.error());
  return stopped.ok() ? 0 : fail(stopped.error());
}

}  // namespace

Command add_server_command(CLI::App& app) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command =
      app.add_subcommand("server", "Run a server: all roles in one process, nothing else needed.");
  command
      ->add_option("--config", arguments->config,
                   "Configuration file, one `key: value` a line (Fluss's server.yaml).")
      ->check(CLI::ExistingFile);
  command->add_option("-D", arguments->overrides,
                      "key=value, instead of what the file says; may be repeated.");
  return [arguments] { return run_server(*arguments); };
}

}  // namespace strom::app
