#include "log/append_writer.h"

#include <algorithm>
#include <map>

#include "base/check.h"
#include "base/logging.h"

namespace strom::log {

Status write_index(FileCache& files, const std::string& path, const IndexWrite& write) {
  if (write.bytes.empty()) return {};
  auto file = STROM_TRY(files.open(path));
  return file->write(write.position, write.bytes);
}

AppendWriter::~AppendWriter() {
  worker_.reset();  // its thread may still be at the end of the last round
  STROM_CHECK(queue_.empty() && !scheduled_, "a writer goes away with {} tasks left", queue_.size());
}

void AppendWriter::submit(WriterTask task) {
  if (auto* append = std::get_if<SegmentAppend>(&task.work)) {
    pending_bytes_.fetch_add(append->records.size(), std::memory_order_relaxed);
  }
  std::lock_guard lock(mutex_);
  queue_.push_back(std::move(task));
  if (scheduled_) return;
  scheduled_ = true;
  worker_->submit([this] { run_round(); });
}

// The tasks that were waiting when the writer's thread got to them.
class AppendWriter::Round {
 public:
  Round(AppendWriter& writer, std::vector<WriterTask> tasks)
      : writer_(writer), tasks_(std::move(tasks)), results_(tasks_.size()) {}

  void run() {
    for (std::vector<size_t>& tasks : by_log()) run_log(tasks);
    if (writer_.sync_) sync();
    complete();
  }

 private:
  // Indexes of the tasks of each log, in order; the logs in the order of their first tasks.
  std::vector<std::vector<size_t>> by_log() const {
    std::vector<std::vector<size_t>> groups;
    std::map<const void*, size_t> group_of;
    for (size_t i = 0; i < tasks_.size(); ++i) {
      auto [entry, added] = group_of.try_emplace(tasks_[i].log, groups.size());
      if (added) groups.emplace_back();
      groups[entry->second].push_back(i);
    }
    return groups;
  }

  void run_log(const std::vector<size_t>& tasks) {
    for (size_t first = 0; first < tasks.size();) {
      size_t end = first + 1;
      if (append_of(tasks[first]) != nullptr) {
        while (end < tasks.size() && continues(tasks[end - 1], tasks[end])) ++end;
      }
      std::span<const size_t> run(tasks.data() + first, end - first);
      Status status = run_together(run);
      for (size_t task : run) results_[task] = status;
      first = end;
    }
  }

  SegmentAppend* append_of(size_t task) { return std::get_if<SegmentAppend>(&tasks_[task].work); }

  bool continues(size_t before, size_t task) {
    const SegmentAppend* one = append_of(before);
    const SegmentAppend* next = append_of(task);
    return next != nullptr && next->segment == one->segment &&
           next->position == one->position + one->records.size();
  }

  Status run_together(std::span<const size_t> tasks) {
    if (auto failed = writer_.failure_.get()) return *failed;
    SegmentAppend* first = append_of(tasks.front());
    Status status = first == nullptr ? std::get<WriterJob>(tasks_[tasks.front()].work)() : append(tasks);
    return latched(std::move(status));
  }

  Status append(std::span<const size_t> tasks) {
    const SegmentAppend& first = *append_of(tasks.front());
    std::vector<ByteView> parts;
    for (size_t task : tasks) parts.push_back(append_of(task)->records.view());
    auto file = STROM_TRY(writer_.files_.open(first.segment->log));
    STROM_TRY(file->write(first.position, parts));
    if (writer_.sync_) dirty_[first.segment->log] = file;
    for (size_t task : tasks) {
      const SegmentAppend& one = *append_of(task);
      STROM_TRY(write_index(writer_.files_, one.segment->offset_index, one.offset_index));
      STROM_TRY(write_index(writer_.files_, one.segment->time_index, one.time_index));
    }
    return {};
  }

  // One sync per file. When one fails, nothing of the round counts as written.
  void sync() {
    Status status;
    for (auto& [path, file] : dirty_) {
      if (status.ok()) status = file->sync();
    }
    if (latched(status).ok()) return;
    for (size_t i = 0; i < tasks_.size(); ++i) {
      if (append_of(i) != nullptr) results_[i] = status;
    }
  }

  // After a failure nobody knows what is on the disk: it is final (INV-1, INV-8).
  Status latched(Status status) {
    if (!status.ok() && writer_.failure_.set(status.error())) {
      log_error("log", "a data directory goes offline: {}", status.error().message);
    }
    return status;
  }

  void complete() {
    struct Done {
      std::move_only_function<void(const Status&)> call;
      Status status;
    };
    // In the order of the tasks, not of addresses: the simulator repeats a run.
    std::vector<std::pair<async::EventLoop*, std::vector<Done>>> by_loop;
    for (size_t i = 0; i < tasks_.size(); ++i) {
      if (const SegmentAppend* append = append_of(i)) {
        writer_.pending_bytes_.fetch_sub(append->records.size(), std::memory_order_relaxed);
      }
      async::EventLoop* loop = tasks_[i].loop;
      auto found = std::ranges::find(by_loop, loop, [](const auto& entry) { return entry.first; });
      if (found == by_loop.end()) found = by_loop.insert(found, {loop, std::vector<Done>()});
      found->second.push_back({std::move(tasks_[i].done), std::move(results_[i])});
    }
    tasks_.clear();
    for (auto& [loop, done] : by_loop) {
      loop->post([done = std::move(done)]() mutable {
        for (Done& one : done) one.call(one.status);
      });
    }
  }

  AppendWriter& writer_;
  std::vector<WriterTask> tasks_;
  std::vector<Status> results_;
  std::map<std::string, std::shared_ptr<async::File>> dirty_;
};

void AppendWriter::run_round() {
  std::vector<WriterTask> tasks;
  {
    std::lock_guard lock(mutex_);
    tasks.swap(queue_);
  }
  Round(*this, std::move(tasks)).run();
  std::lock_guard lock(mutex_);
  scheduled_ = !queue_.empty();
  if (scheduled_) worker_->submit([this] { run_round(); });
}

}  // namespace strom::log
