#include "metastore/simulated.h"

#include "async/wait_list.h"

namespace strom::metastore {

namespace {

class SimWatch final : public Watch {
 public:
  SimWatch(std::shared_ptr<Tree> tree, Tree::WatchId id, std::shared_ptr<bool> alive)
      : tree_(std::move(tree)), id_(id), alive_(std::move(alive)) {}
  ~SimWatch() override {
    *alive_ = false;
    tree_->remove_watch(id_);
  }

 private:
  std::shared_ptr<Tree> tree_;
  Tree::WatchId id_;
  std::shared_ptr<bool> alive_;
};

}  // namespace

class SimMetastore final : public Metastore {
 public:
  SimMetastore(SimMetastoreService& service, async::EventLoop& loop, SessionId session)
      : service_(service), loop_(loop), session_(session) {
    service_.sessions_[session] = [] {};
  }
  ~SimMetastore() override { service_.sessions_.erase(session_); }

  async::Task<Result<std::optional<Node>>> get(std::string path) override {
    STROM_CO_TRY(co_await travel());
    const Tree::Entry* entry = service_.tree_->find(path);
    if (entry == nullptr) co_return std::optional<Node>();
    co_return std::optional<Node>(entry->node);
  }

  async::Task<Result<std::vector<std::string>>> children(std::string path) override {
    STROM_CO_TRY(co_await travel());
    const Tree::Entry* entry = service_.tree_->find(path);
    if (entry == nullptr) co_return std::vector<std::string>();
    co_return std::vector<std::string>(entry->children.begin(), entry->children.end());
  }

  async::Task<Result<CommitOutcome>> commit(std::vector<Operation> operations) override {
    STROM_CO_TRY(co_await travel());
    std::vector<Tree::Change> changes;
    CommitOutcome outcome = service_.tree_->plan(operations, changes);
    if (outcome.committed()) service_.tree_->apply(changes, session_);
    STROM_CO_TRY(co_await travel());
    co_return outcome;
  }

  std::unique_ptr<Watch> watch(std::string path, std::function<void()> changed) override {
    auto alive = std::make_shared<bool>(true);
    auto call = [this, alive, changed = std::move(changed)] {
      loop_.post([alive, changed] {
        if (*alive) changed();
      });
    };
    return std::make_unique<SimWatch>(service_.tree_, service_.tree_->add_watch(path, std::move(call)),
                                      alive);
  }

  void on_session_expired(std::function<void()> expired) override {
    service_.sessions_[session_] = [this, expired = std::move(expired)] { loop_.post(expired); };
  }

  async::Task<Status> close() override {
    closed_ = true;
    service_.sessions_.erase(session_);
    service_.tree_->end_session(session_);
    co_return Status();
  }

 private:
  // The way of a request or an answer. Requests of one session keep their order.
  async::Task<Status> travel() {
    async::Instant arrival = loop_.now() + std::chrono::microseconds(service_.world_.random(50, 500));
    last_arrival_ = std::max(arrival, last_arrival_ + async::Duration(1));
    co_await async::sleep_until(loop_, async::Deadline{last_arrival_});
    if (closed_ || !service_.sessions_.contains(session_)) {
      co_return make_error(ErrorCode::kNetwork, "the session with the metadata store has ended");
    }
    co_return Status();
  }

  SimMetastoreService& service_;
  async::EventLoop& loop_;
  SessionId session_;
  async::Instant last_arrival_{};
  bool closed_ = false;
};

std::unique_ptr<Metastore> SimMetastoreService::connect(async::EventLoop& loop) {
  return std::make_unique<SimMetastore>(*this, loop, ++last_session_);
}

void SimMetastoreService::expire_sessions() {
  auto ended = std::move(sessions_);
  sessions_.clear();
  for (auto& [session, expired] : ended) {
    tree_->end_session(session);
    expired();
  }
}

}  // namespace strom::metastore
