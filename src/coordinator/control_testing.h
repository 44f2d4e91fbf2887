// RecordingControl: tablet servers of which a test sees what arrives and chooses what they answer. Tests
// only. Lives on: one loop.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "async/wait_list.h"
#include "base/contains.h"
#include "coordinator/ports.h"

namespace strom::coordinator::testing {

// Writes down what arrives at the servers; what a server answers is chosen by the test.
class RecordingControl final : public ControlClient {
 public:
  explicit RecordingControl(async::EventLoop& loop) : loop_(loop) {}

  async::Task<Result<std::vector<std::pair<TableBucket, Error>>>> notify_leaders(
      ServerId server, CoordinatorEpoch epoch, std::vector<BucketLeadership> buckets,
      async::Deadline deadline) override {
    std::string text = "lead";
    for (const auto& bucket : buckets)
      text += fmt::format(" {}:{}", bucket.bucket, bucket.leadership.leader_epoch);
    STROM_CO_TRY(co_await arrive(server, epoch, std::move(text), deadline));
    co_return std::vector<std::pair<TableBucket, Error>>();
  }
  async::Task<Status> update_metadata(ServerId server, CoordinatorEpoch epoch,
                                      std::map<ServerId, model::TabletServerRegistration> live_servers,
                                      MetadataUpdate update, async::Deadline deadline) override {
    std::string text = fmt::format("update servers={}", live_servers.size());
    for (const auto& table : update.tables) text += fmt::format(" {}", table.path);
    for (const auto& [path, id] : update.dropped_tables) text += fmt::format(" -{}", path);
    co_return co_await arrive(server, epoch, std::move(text), deadline);
  }
  async::Task<Result<std::vector<TableBucket>>> stop_replicas(ServerId server, CoordinatorEpoch epoch,
                                                              std::vector<ReplicaStop> replicas,
                                                              async::Deadline deadline) override {
    std::string text = "stop";
    std::vector<TableBucket> stopped;
    for (const ReplicaStop& stop : replicas) {
      text += fmt::format(" {}", stop.bucket);
      if (!contains(keeps, stop.bucket)) stopped.push_back(stop.bucket);
    }
    STROM_CO_TRY(co_await arrive(server, epoch, std::move(text), deadline));
    co_return stopped;
  }

  std::vector<std::string> arrived(int32_t server) { return arrived_[ServerId(server)]; }
  void forget() { arrived_.clear(); }

  std::map<ServerId, std::vector<ErrorCode>> errors;  // the next answers of a server
  std::set<ServerId> silent;                          // don't answer before the deadline
  std::vector<TableBucket> keeps;                     // replicas that can't be deleted

 private:
  async::Task<Status> arrive(ServerId server, CoordinatorEpoch epoch, std::string text,
                             async::Deadline deadline) {
    arrived_[server].push_back(fmt::format("{} epoch={}", text, epoch));
    if (silent.contains(server)) {
      co_await async::sleep_until(loop_, deadline);
      co_return make_error(ErrorCode::kNetwork, "no answer");
    }
    co_await async::sleep_until(loop_, {loop_.now() + std::chrono::milliseconds(1), deadline.stop});
    auto& next = errors[server];
    if (next.empty()) co_return Status();
    const ErrorCode code = next.front();
    next.erase(next.begin());
    co_return make_error(code, "refused");
  }

  async::EventLoop& loop_;
  std::map<ServerId, std::vector<std::string>> arrived_;
};

}  // namespace strom::coordinator::testing
