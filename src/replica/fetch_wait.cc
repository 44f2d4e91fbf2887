#include "replica/fetch_wait.h"

#include <list>

namespace strom::replica {

using async::Task;

namespace {

using Watched = std::vector<std::pair<std::shared_ptr<Replica>, model::Offset>>;

bool has_news(const Watched& watched) {
  for (const auto& [replica, next] : watched) {
    if (!replica->is_leader() || replica->high_watermark() > next) return true;
  }
  return false;
}

}  // namespace

Task<bool> FetchWaits::wait(FetchWaitId id, std::vector<FetchPosition> positions, async::Instant until) {
  if (closed_) co_return false;
  Watched watched;
  for (const FetchPosition& position : positions) {
    auto replica = replicas_.find(position.bucket);
    if (!replica.ok()) co_return true;  // gone since the reader looked: it shall learn that now
    watched.emplace_back(std::move(*replica), position.next);
  }
  Waiting waiting(loop_);
  waiting_[id] = &waiting;
  std::list<Replica::Subscription> subscriptions;
  for (const auto& [replica, next] : watched) subscriptions.emplace_back(replica, waiting.woken);
  bool news = has_news(watched);
  while (!news && !waiting.cancelled) {
    if (co_await waiting.woken.wait(async::Deadline{until}) != async::WaitResult::kReady) break;
    news = has_news(watched);
  }
  waiting_.erase(id);
  co_return news;
}

void FetchWaits::cancel(FetchWaitId id) {
  auto found = waiting_.find(id);
  if (found == waiting_.end()) return;
  found->second->cancelled = true;
  found->second->woken.notify_all();
}

void FetchWaits::cancel_all() {
  closed_ = true;
  for (auto& [id, waiting] : waiting_) {
    waiting->cancelled = true;
    waiting->woken.notify_all();
  }
}

}  // namespace strom::replica
