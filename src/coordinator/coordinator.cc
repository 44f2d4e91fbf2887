#include "coordinator/coordinator.h"

#include "base/logging.h"
#include "coordinator/auto_partition.h"
#include "coordinator/load.h"
#include "model/node_paths.h"

namespace strom::coordinator {

using async::Task;
using metastore::Operation;
using namespace std::chrono_literals;
namespace node_paths = model::node_paths;

namespace {

constexpr size_t kMaxQueuedEvents = 1024;
constexpr async::Duration kToldWithin = 5s;         // how long an answer waits for the servers to have heard
constexpr async::Duration kLookAgainAfter = 500ms;  // after a failed reading of the tablet servers
constexpr std::string_view kDefaultDatabase = "fluss";

Error not_leader() {
  return make_error(ErrorCode::kNotCoordinatorLeader,
                    "this coordinator does not lead; ask the one in the metadata");
}

// What the clock asks for; nobody waits for the answers.
Task<void> submit_due(Coordinator& coordinator, std::vector<Event> due) {
  for (Event& event : due) {
    const std::string_view what = event_name(event);
    const Status done = co_await coordinator.submit(std::move(event));
    if (done.code() == ErrorCode::kNotCoordinatorLeader) co_return;
    // A table that was dropped meanwhile needs none.
    if (!done.ok() && done.code() != ErrorCode::kTableNotExist)
      log_warn("coordinator", "auto partitioning: {} refused reason={}", what, done.error().message);
  }
}

}  // namespace

Coordinator::Coordinator(async::Runtime& runtime, async::EventLoop& loop, metastore::Metastore& store,
                         ControlClient& control, Config config)
    : runtime_(runtime),
      loop_(loop),
      store_(store),
      control_(control),
      config_(std::move(config)),
      queued_(loop),
      servers_changed_signal_(loop),
      scope_(loop),
      sender_(loop, control_, [this](ReplicasStopped stopped) {
        queue_.push_back(std::make_shared<Pending>(loop_, std::move(stopped)));
        queued_.notify_all();
      }) {}

Task<Status> Coordinator::take_leadership() {
  const std::string path(node_paths::kCoordinatorEpoch);
  auto node = STROM_CO_TRY(co_await store_.get(path));
  CoordinatorEpoch epoch(1);
  std::vector<Operation> writes;
  if (node) {
    epoch = STROM_CO_TRY(model::decode_coordinator_epoch(as_text(node->data))).next();
    writes.push_back(Operation::set(path, to_buffer(model::encode_coordinator_epoch(epoch)), node->version));
    epoch_node_version_ = node->version + 1;
  } else {
    writes.push_back(Operation::create(path, to_buffer(model::encode_coordinator_epoch(epoch))));
    epoch_node_version_ = 0;
  }
  writes.push_back(Operation::create_ephemeral(std::string(node_paths::kActiveCoordinator),
                                               to_buffer(config_.address.to_json())));
  auto outcome = STROM_CO_TRY(co_await store_.commit(std::move(writes)));
  if (!outcome.committed()) co_return not_leader();
  state_ = STROM_CO_TRY(co_await load_state(store_));
  state_.epoch = epoch;
  if (scope_.stopping()) co_return not_leader();
  leads_ = true;
  log_info("coordinator", "took leadership epoch={} databases={} tables={} deletions={}", epoch,
           state_.databases.size(), state_.tables.size(), state_.deletions.size());
  co_return Status();
}

Task<Status> Coordinator::start() {
  STROM_CO_TRY(co_await take_leadership());
  scope_.spawn(run());
  STROM_CO_TRY(co_await submit(CreateDatabase{std::string(kDefaultDatabase), {}, true}));
  STROM_CO_TRY(co_await refresh_servers());
  scope_.spawn(watch_servers());
  scope_.spawn(keep_auto_partitions());
  co_return Status();
}

Task<void> Coordinator::stop() {
  leads_ = false;
  watch_.reset();
  co_await sender_.stop();
  co_await scope_.stop();
}

Task<Status> Coordinator::submit(Event event) {
  if (!leads_) co_return not_leader();
  if (queue_.size() >= kMaxQueuedEvents) {
    co_return make_error(ErrorCode::kRequestTimeOut,
                         "{} requests wait for the coordinator already; try again later", queue_.size());
  }
  auto pending = std::make_shared<Pending>(loop_, std::move(event));
  queue_.push_back(pending);
  queued_.notify_all();
  while (!pending->answer) co_await pending->answered.wait(async::Deadline{});
  co_return *pending->answer;
}

void Coordinator::answer(Pending& pending, Status status) {
  pending.answer = std::move(status);
  pending.answered.notify_all();
}

Task<void> Coordinator::run() {
  while (!scope_.stopping()) {
    if (queue_.empty()) {
      co_await queued_.wait(scope_.until_stopped());
      continue;
    }
    auto pending = std::move(queue_.front());
    queue_.pop_front();
    co_await handle(std::move(pending));
  }
  // Among those that wait may be watch_servers(), for which stop() waits.
  for (auto& pending : queue_) answer(*pending, not_leader());
  queue_.clear();
}

Task<void> Coordinator::handle(std::shared_ptr<Pending> pending) {
  if (!leads_) {
    answer(*pending, not_leader());
    co_return;
  }
  const Timestamp now(runtime_.clock().wall_ms());
  Plan made = plan(state_, config_.settings, {pending->event, now, runtime_.random()});
  if (!made.reply.ok()) {
    answer(*pending, std::move(made.reply));
    co_return;
  }
  Status committed = co_await commit(std::move(made.writes));
  if (!committed.ok()) {
    answer(*pending, std::move(committed));
    co_return;
  }
  for (const Change& change : made.changes) apply(state_, change);
  queue_auto_partitions(pending->event);
  if (!made.changes.empty())
    log_info("coordinator", "{} done sends={}", event_name(pending->event), made.sends.size());
  sender_.keep_only(state_.servers);
  if (const auto* joined = std::get_if<ServerJoined>(&pending->event)) sender_.forget(joined->id);
  auto delivery = sender_.send(state_, std::move(made.sends));
  if (delivery->finished() || !scope_.spawn(answer_when_told(pending, delivery))) answer(*pending, Status());
}

void Coordinator::queue_auto_partitions(const Event& event) {
  const TablePath* path = nullptr;
  if (auto* created = std::get_if<CreateTable>(&event)) path = &created->path;
  if (auto* altered = std::get_if<AlterTable>(&event)) path = &altered->path;
  const TableState* table = path != nullptr ? state_.find_table(*path) : nullptr;
  if (table == nullptr) return;
  auto due = auto_partition_events(*table, Timestamp(runtime_.clock().wall_ms()));
  if (!due.empty()) scope_.spawn(submit_due(*this, std::move(due)));
}

Task<void> Coordinator::keep_auto_partitions() {
  while (!scope_.stopping()) {
    co_await submit_due(*this, auto_partition_events(state_, Timestamp(runtime_.clock().wall_ms())));
    co_await async::sleep_for(loop_, config_.auto_partition_interval, &scope_.stop_source());
  }
}

Task<void> Coordinator::answer_when_told(std::shared_ptr<Pending> pending,
                                         std::shared_ptr<Delivery> delivery) {
  co_await delivery->wait(scope_.deadline_after(kToldWithin));
  answer(*pending, Status());
}

Task<Status> Coordinator::commit(std::vector<Operation> writes) {
  if (writes.empty()) co_return Status();
  writes.insert(writes.begin(),
                Operation::check(std::string(node_paths::kCoordinatorEpoch), epoch_node_version_));
  auto outcome = co_await store_.commit(std::move(writes));
  if (!outcome.ok()) {
    // It is not known what the store holds now: another coordinator, or this one after a restart, reads it
    // anew.
    resign(outcome.error().message);
    co_return outcome.error();
  }
  if (outcome->committed()) co_return Status();
  if (outcome->failed == 0) {
    resign("another coordinator has a higher epoch");
    co_return not_leader();
  }
  resign("the metadata store and this coordinator's state differ");
  co_return make_error(ErrorCode::kUnknownServerError, "the metadata store refused operation {} of a commit",
                       outcome->failed);
}

void Coordinator::resign(const std::string& reason) {
  leads_ = false;
  log_error("coordinator", "gave up leadership epoch={} reason={}", state_.epoch, reason);
}

Task<void> Coordinator::watch_servers() {
  while (!scope_.stopping()) {
    if (!servers_changed_) {
      co_await servers_changed_signal_.wait(scope_.until_stopped());
      continue;
    }
    Status refreshed = co_await refresh_servers();
    if (refreshed.ok() || !leads_) continue;
    log_error("coordinator", "can't take note of the tablet servers, tries again reason={}",
              refreshed.error().message);
    servers_changed_ = true;
    co_await async::sleep_for(loop_, kLookAgainAfter, &scope_.stop_source());
  }
  watch_.reset();
}

Task<Status> Coordinator::refresh_servers() {
  servers_changed_ = false;
  watch_ = store_.watch(std::string(node_paths::kTabletServerIds), [this] {
    servers_changed_ = true;
    servers_changed_signal_.notify_all();
  });
  auto names = STROM_CO_TRY(co_await store_.children(std::string(node_paths::kTabletServerIds)));
  std::map<ServerId, model::TabletServerRegistration> found;
  for (const std::string& name : names) {
    const std::string path = std::string(node_paths::kTabletServerIds) + "/" + name;
    auto id = node_paths::parse_tablet_server(path);
    auto node = STROM_CO_TRY(co_await store_.get(path));
    if (!id || !node) continue;
    found[*id] = STROM_CO_TRY(model::TabletServerRegistration::parse_json(as_text(node->data)));
  }
  const auto known = state_.servers;
  for (const auto& [id, registration] : known) {
    if (!found.contains(id)) STROM_CO_TRY(co_await submit(ServerLeft{id}));
  }
  for (const auto& [id, registration] : found) {
    auto before = known.find(id);
    if (before != known.end() && before->second == registration) continue;
    log_info("coordinator", "tablet server registered server={} listeners={}", id,
             to_string(registration.endpoints));
    STROM_CO_TRY(co_await submit(ServerJoined{id, registration}));
  }
  co_return Status();
}

}  // namespace strom::coordinator
