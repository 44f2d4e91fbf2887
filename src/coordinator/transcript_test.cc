// Transcripts of plan(): each file in testdata is a list of commands, each with what the coordinator decided:
//     # comment
//     command
//     ----
//     output
//     (empty line)
// A command's writes are also committed to a tree of nodes, as the store does, and its changes applied to the
// state. With STROM_REWRITE=1 in the environment, a run writes the outputs that it gets into the files.
// Commands besides the events (transcript_testing.h):
//   settings [epoch=N] [now=MS] [random=N] [max-partitions=N] [max-buckets=N] [buckets=N] [rf=N]
//   [log-tables=no] state      prints the state restart    a new coordinator loads the tree; prints what it
//   knows then
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "async/scope.h"
#include "async/sim.h"
#include "coordinator/load.h"
#include "coordinator/transcript_testing.h"
#include "metastore/simulated.h"

namespace strom::coordinator {
namespace {

using testing::Command;

std::filesystem::path testdata() {
  return std::filesystem::path(STROM_SOURCE_DIR) / "src/coordinator/testdata";
}

async::Task<void> load_into(metastore::Metastore& store, std::optional<Result<State>>& result) {
  result = co_await load_state(store);
}

class Transcript {
 public:
  Transcript() : service_(world_), runtime_(world_.add_machine("coordinator").boot()) {
    state_.epoch = CoordinatorEpoch(1);
  }

  std::string run(const Command& command) {
    if (command.name() == "settings") return change_settings(command);
    if (command.name() == "state") return testing::print(state_);
    if (command.name() == "restart") return restart();
    auto event = testing::parse_event(command);
    if (!event) return "no such command\n";
    const Plan made = plan(state_, settings_, {*event, now_, random_});
    std::vector<metastore::Tree::Change> nodes;
    const auto outcome = service_.tree().plan(made.writes, nodes);
    std::string text = testing::print(made);
    if (!outcome.committed()) return text + fmt::format("the store refused write {}\n", outcome.failed);
    service_.tree().apply(nodes, metastore::kNoSession);
    for (const Change& change : made.changes) apply(state_, change);
    return text + differences();
  }

 private:
  std::string change_settings(const Command& command) {
    state_.epoch = CoordinatorEpoch(static_cast<int32_t>(command.number("epoch", state_.epoch.value)));
    now_ = Timestamp(command.number("now", now_.value));
    random_ = static_cast<uint64_t>(command.number("random", static_cast<int64_t>(random_)));
    auto set = [&](int32_t& setting, std::string_view key) {
      setting = static_cast<int32_t>(command.number(key, setting));
    };
    set(settings_.max_partition_num, "max-partitions");
    set(settings_.max_bucket_num, "max-buckets");
    set(settings_.default_bucket_number, "buckets");
    set(settings_.default_replication_factor, "rf");
    settings_.allow_log_tables = command.option("log-tables") != "no";
    return "ok\n";
  }

  State load() {
    auto store = service_.connect(runtime_->loop(0));
    std::optional<Result<State>> loaded;
    async::TaskScope scope(runtime_->loop(0));
    scope.spawn(load_into(*store, loaded));
    STROM_CHECK(world_.run_until([&] { return loaded.has_value(); }, std::chrono::minutes(1)),
                "loading does not end");
    world_.run_for(std::chrono::milliseconds(1));
    return std::move(*loaded).value();
  }

  std::string restart() {
    const CoordinatorEpoch epoch = state_.epoch.next();
    state_ = load();
    state_.epoch = epoch;
    return testing::print(state_);
  }

  // What the next coordinator would load is what this one knows. Servers are not stored, and which replicas
  // of a dropped table are gone already isn't either.
  std::string differences() {
    State known = state_;
    State loaded = load();
    known.servers.clear();
    loaded.epoch = known.epoch;
    for (auto& [key, deletion] : known.deletions) {
      auto found = loaded.deletions.find(key);
      if (found != loaded.deletions.end()) deletion.remaining = found->second.remaining;
    }
    const std::string expected = testing::print(known);
    const std::string found = testing::print(loaded);
    return expected == found ? "" : "the store holds another state:\n" + found;
  }

  async::SimWorld world_{1};
  metastore::SimMetastoreService service_;
  std::unique_ptr<async::SimRuntime> runtime_;
  State state_;
  Settings settings_{.remote_data_dir = "/remote"};
  Timestamp now_{1000};
  uint64_t random_ = 0;
};

// The whole file as it should be: what stands in it, with the outputs that the commands have now.
std::string rerun(std::istream& file) {
  Transcript transcript;
  std::string text, line;
  while (std::getline(file, line)) {
    text += line + "\n";
    if (line.empty() || line.starts_with('#')) continue;
    std::string skipped;
    while (std::getline(file, skipped) && !skipped.empty()) {
    }
    text += "----\n" + transcript.run(Command::parse(line)) + "\n";
  }
  while (text.ends_with("\n\n")) text.pop_back();
  return text;
}

class TranscriptTest : public ::testing::TestWithParam<std::string> {};

// Each command of a transcript has the outcome that the file says.
TEST_P(TranscriptTest, SaysWhatTheCoordinatorDecides) {
  const std::filesystem::path path = testdata() / (GetParam() + ".txt");
  std::ifstream file(path);
  ASSERT_TRUE(file.good()) << path;
  std::stringstream content;
  content << file.rdbuf();
  const std::string expected = content.str();
  const std::string found = rerun(content);
  if (std::getenv("STROM_REWRITE") != nullptr) {
    std::ofstream(path) << found;
    return;
  }
  EXPECT_EQ(expected, found) << "if the new outcome is right, run again with STROM_REWRITE=1";
}

std::vector<std::string> transcripts() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(testdata()))
    names.push_back(entry.path().stem());
  std::ranges::sort(names);
  return names;
}

std::string name_of(const ::testing::TestParamInfo<std::string>& info) { return info.param; }

INSTANTIATE_TEST_SUITE_P(Files, TranscriptTest, ::testing::ValuesIn(transcripts()), name_of);

}  // namespace
}  // namespace strom::coordinator
