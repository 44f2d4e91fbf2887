#include "server/coordinator/submit.h"

namespace strom::server {

namespace {

// The numbers of the wire.
enum class OptionChange : int32_t { kSet = 0, kDelete = 1 };

async::Task<Status> submit_at_home(Home& home, coordinator::Event event) {
  if (home.coordinator == nullptr) {
    co_return make_error(
        ErrorCode::kNotCoordinatorLeader,
        "this server is no coordinator; send the request to the coordinator in the metadata");
  }
  co_return co_await home.coordinator->submit(std::move(event));
}

}  // namespace

async::Task<Status> submit(Services& services, coordinator::Event event) {
  co_return co_await services.home(
      [event = std::move(event)](Home& home) { return submit_at_home(home, event); });
}

Status add_change(const proto::PbAlterConfig& message, OptionChanges& changes) {
  const std::string& key = message.config_key();
  std::erase(changes.reset, key);
  changes.set.erase(key);
  switch (static_cast<OptionChange>(message.op_type())) {
    case OptionChange::kSet:
      if (!message.has_config_value()) {
        return make_error(ErrorCode::kUnknownServerError, "option '{}' is to be set, but no value is given",
                          key);
      }
      changes.set.set(key, message.config_value());
      return {};
    case OptionChange::kDelete:
      changes.reset.push_back(key);
      return {};
  }
  return make_error(
      ErrorCode::kUnknownServerError,
      "operation {} on option '{}' is not supported here: an option can be set (0) or deleted (1)",
      message.op_type(), key);
}

}  // namespace strom::server
