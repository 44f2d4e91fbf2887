// The contract of Metastore, held by every implementation.
#include "metastore/metastore.h"

#include <gtest/gtest.h>

#include "async/join.h"
#include "async/runtime_testing.h"
#include "metastore/embedded.h"
#include "metastore/simulated.h"

namespace strom::metastore {
namespace {

using async::Task;

class MetastoreContract : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    test_ = async::make_test_runtime(GetParam() == "embedded" ? "system" : "simulated");
    if (GetParam() == "simulated") {
      auto& runtime = static_cast<async::SimRuntime&>(test_->runtime());
      service_ = std::make_unique<SimMetastoreService>(runtime.world());
    }
    open();
  }
  void TearDown() override { close(); }

  void open() {
    auto work = [this]() -> Task<void> {
      if (service_) {
        store_ = service_->connect(test_->runtime().loop(0));
      } else {
        auto opened =
            co_await open_embedded(test_->runtime(), test_->runtime().loop(0), test_->directory() + "/meta");
        EXPECT_TRUE(opened.ok()) << opened.error().message;
        if (opened.ok()) store_ = std::move(*opened);
      }
    };
    test_->run(work);
    ASSERT_NE(store_, nullptr);
  }
  void close() {
    if (store_ == nullptr) return;
    auto work = [this]() -> Task<void> {
      EXPECT_TRUE((co_await store_->close()).ok());
      store_.reset();
    };
    test_->run(work);
  }

  // Commits and returns the failure, if any.
  CommitFailure commit(std::vector<Operation> operations) {
    CommitFailure failure = CommitFailure::kNone;
    auto work = [&]() -> Task<void> {
      auto outcome = co_await store_->commit(std::move(operations));
      EXPECT_TRUE(outcome.ok()) << outcome.error().message;
      if (outcome.ok()) failure = outcome->failure;
    };
    test_->run(work);
    return failure;
  }
  // "data@version", or "none".
  std::string get(const std::string& path) {
    std::string found;
    auto work = [&]() -> Task<void> {
      auto node = co_await store_->get(path);
      EXPECT_TRUE(node.ok());
      found = *node ? fmt::format("{}@{}", as_text((*node)->data), (*node)->version) : "none";
    };
    test_->run(work);
    return found;
  }
  std::vector<std::string> children(const std::string& path) {
    std::vector<std::string> names;
    auto work = [&]() -> Task<void> { names = (co_await store_->children(path)).value(); };
    test_->run(work);
    return names;
  }
  static Buffer data(std::string_view text) { return {text.begin(), text.end()}; }

  std::unique_ptr<async::TestRuntime> test_;
  std::unique_ptr<SimMetastoreService> service_;
  std::unique_ptr<Metastore> store_;
};

INSTANTIATE_TEST_SUITE_P(Stores, MetastoreContract, testing::Values("embedded", "simulated"),
                         [](const auto& info) { return info.param; });

// Nodes are created once, with their parents; set counts the version up and can demand one.
TEST_P(MetastoreContract, VersionsCountChanges) {
  EXPECT_EQ(get("/a/b"), "none");
  EXPECT_EQ(commit({Operation::create("/a/b", data("1"))}), CommitFailure::kNone);
  EXPECT_EQ(get("/a/b"), "1@0");
  EXPECT_EQ(get("/a"), "@0");
  EXPECT_EQ(commit({Operation::create("/a/b", data("2"))}), CommitFailure::kNodeExists);
  EXPECT_EQ(commit({Operation::set("/a/b", data("2"), 1)}), CommitFailure::kBadVersion);
  EXPECT_EQ(commit({Operation::set("/a/b", data("2"), 0)}), CommitFailure::kNone);
  EXPECT_EQ(get("/a/b"), "2@1");
  EXPECT_EQ(commit({Operation::set("/a/c", data("x"))}), CommitFailure::kNoNode);
  EXPECT_EQ(commit({Operation::put("/a/b", data("3"))}), CommitFailure::kNone);
  EXPECT_EQ(get("/a/b"), "3@2");
}

// A commit takes place wholly or not at all, and later operations see the earlier ones.
TEST_P(MetastoreContract, CommitsAreAtomic) {
  EXPECT_EQ(commit({Operation::create("/epoch", data("1"))}), CommitFailure::kNone);
  EXPECT_EQ(commit({Operation::create("/x", data("1")), Operation::check("/epoch", 7)}),
            CommitFailure::kBadVersion);
  EXPECT_EQ(get("/x"), "none");
  EXPECT_EQ(commit({Operation::check("/epoch", 0), Operation::create("/x/y", data("1")),
                    Operation::set("/x/y", data("2"), 0), Operation::create("/x/z", data("3"))}),
            CommitFailure::kNone);
  EXPECT_EQ(get("/x/y"), "2@1");
  EXPECT_EQ(children("/x"), (std::vector<std::string>{"y", "z"}));
}

// Removing needs a childless node; removing a tree takes all and is fine when nothing is there.
TEST_P(MetastoreContract, RemovesNodesAndTrees) {
  EXPECT_EQ(commit({Operation::create("/t/a/1", data("")), Operation::create("/t/a/2", data("")),
                    Operation::create("/ta", data(""))}),
            CommitFailure::kNone);
  EXPECT_EQ(commit({Operation::remove("/t/a")}), CommitFailure::kNotEmpty);
  EXPECT_EQ(commit({Operation::remove("/t/a/1")}), CommitFailure::kNone);
  EXPECT_EQ(commit({Operation::remove("/t/a/1")}), CommitFailure::kNoNode);
  EXPECT_EQ(commit({Operation::remove_tree("/t"), Operation::remove_tree("/nothing")}), CommitFailure::kNone);
  EXPECT_EQ(get("/t"), "none");
  EXPECT_EQ(get("/t/a/2"), "none");
  EXPECT_EQ(children("/"), (std::vector<std::string>{"ta"}));
}

// What was committed is there in the next session; ephemeral nodes are not.
TEST_P(MetastoreContract, SurvivesAReopen) {
  std::string large(200'000, 'x');
  EXPECT_EQ(commit({Operation::create("/keep", data(large)),
                    Operation::create_ephemeral("/live/me", data("here"))}),
            CommitFailure::kNone);
  EXPECT_EQ(commit({Operation::set("/keep", data(large + "y"))}), CommitFailure::kNone);
  EXPECT_EQ(get("/live/me"), "here@0");
  close();
  open();
  EXPECT_EQ(get("/keep"), large + "y@1");
  EXPECT_EQ(get("/live/me"), "none");
  EXPECT_EQ(get("/live"), "@0");
}

// A watch is called once, for a change of data, of existence, or of the children; not when it was dropped.
TEST_P(MetastoreContract, WatchesAreCalledOnce) {
  std::atomic<int> called = 0;
  std::atomic<int> dropped = 0;
  std::unique_ptr<Watch> watch;
  auto add = [&](std::string path) {
    auto work = [&]() -> Task<void> {
      watch = store_->watch(path, [&] { ++called; });
      store_->watch(path, [&] { ++dropped; });
      co_return;
    };
    test_->run(work);
  };
  add("/w");
  commit({Operation::create("/other", data(""))});
  EXPECT_EQ(called, 0);
  commit({Operation::create("/w", data(""))});
  test_->run_until([&] { return called == 1; });
  commit({Operation::set("/w", data("1"))});
  EXPECT_EQ(called, 1);
  add("/w");
  commit({Operation::create("/w/child", data(""))});
  test_->run_until([&] { return called == 2; });
  add("/w/child");
  commit({Operation::set("/w/child", data("2"))});
  test_->run_until([&] { return called == 3; });
  EXPECT_EQ(dropped, 0);
  auto work = [&]() -> Task<void> {
    watch.reset();
    co_return;
  };
  test_->run(work);
}

// Commits that are started together are decided one after the other: of two that create a node, one is
// refused.
TEST_P(MetastoreContract, ConcurrentCommitsAreSerial) {
  int committed = 0;
  auto work = [&]() -> Task<void> {
    std::vector<Task<Result<CommitOutcome>>> commits;
    for (int i = 0; i < 20; ++i) {
      std::vector<Operation> operations;
      operations.push_back(Operation::create(i % 2 == 0 ? "/same" : fmt::format("/n{}", i), data("")));
      commits.push_back(store_->commit(std::move(operations)));
    }
    for (auto& outcome : co_await async::when_all(test_->runtime().loop(0), std::move(commits))) {
      committed += outcome->committed();
    }
  };
  test_->run(work);
  EXPECT_EQ(committed, 11);
}

// The session's end takes its ephemeral nodes and tells the client.
TEST(SimMetastore, ExpiredSessionsAreTold) {
  async::SimWorld world(3);
  auto runtime = world.add_machine("a").boot();
  SimMetastoreService service(world);
  auto store = service.connect(runtime->loop(0));
  bool told = false;
  store->on_session_expired([&] { told = true; });
  async::TaskScope scope(runtime->loop(0));
  bool failed = false;
  auto work = [&]() -> Task<void> {
    std::vector<Operation> operations;
    operations.push_back(Operation::create_ephemeral("/me", {}));
    EXPECT_TRUE((co_await store->commit(std::move(operations))).ok());
    EXPECT_NE(service.tree().find("/me"), nullptr);
    service.expire_sessions();
    failed = !(co_await store->get("/me")).ok();
  };
  scope.spawn(work());
  world.run_for(std::chrono::seconds(1));
  EXPECT_TRUE(told);
  EXPECT_TRUE(failed);
  EXPECT_EQ(service.tree().find("/me"), nullptr);
}

}  // namespace
}  // namespace strom::metastore
