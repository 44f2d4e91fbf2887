#include "async/runtime_testing.h"

#include <unistd.h>

namespace strom::async {
namespace {

class SystemTestRuntime final : public TestRuntime {
 public:
  explicit SystemTestRuntime(size_t shards) : runtime_({.shards = shards, .pool_threads = 2}) {
    std::string pattern = std::filesystem::temp_directory_path() / "strom-test-XXXXXX";
    directory_ = ::mkdtemp(pattern.data());
  }
  ~SystemTestRuntime() override {
    std::error_code ignored;
    std::filesystem::remove_all(directory_, ignored);
  }
  Runtime& runtime() override { return runtime_; }
  std::string directory() override { return directory_; }
  void run_until(std::function<bool()> done) override {
    // The loops run on threads of their own; a loop's empty round trip is the pause between two looks.
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (!done()) {
      ASSERT_LT(std::chrono::steady_clock::now(), end) << "not done in 30 s";
      std::mutex mutex;
      std::condition_variable passed;
      bool ran = false;
      runtime_.loop(0).post([&] {
        std::lock_guard lock(mutex);
        ran = true;
        passed.notify_one();
      });
      std::unique_lock lock(mutex);
      passed.wait(lock, [&] { return ran; });
    }
  }

 private:
  SystemRuntime runtime_;
  std::string directory_;
};

class SimTestRuntime final : public TestRuntime {
 public:
  SimTestRuntime(size_t shards, uint64_t seed)
      : world_(seed), machine_(world_.add_machine("host", shards)), runtime_(machine_.boot()) {
    EXPECT_TRUE(runtime_->disk().create_directories("data").ok());
  }
  ~SimTestRuntime() override { world_.run_for(std::chrono::seconds(60)); }
  Runtime& runtime() override { return *runtime_; }
  std::string directory() override { return "data"; }
  void run_until(std::function<bool()> done) override {
    ASSERT_TRUE(world_.run_until(done, std::chrono::seconds(30))) << "not done in 30 s of virtual time";
  }

 private:
  SimWorld world_;
  SimMachine& machine_;
  std::unique_ptr<SimRuntime> runtime_;
};

}  // namespace

std::unique_ptr<TestRuntime> make_test_runtime(const std::string& kind, size_t shards, uint64_t seed) {
  if (kind == "system") return std::make_unique<SystemTestRuntime>(shards);
  return std::make_unique<SimTestRuntime>(shards, seed);
}

}  // namespace strom::async
