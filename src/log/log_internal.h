// What the source files of Log share. Lives on: the bucket's shard.
#pragma once

#include "log/log.h"
#include "log/log_directory.h"

namespace strom::log {

// A call that has not returned: close() waits for it.
class Log::Operation {
 public:
  explicit Operation(Log& log) : log_(log) { ++log_.operations_; }
  Operation(const Operation&) = delete;
  Operation& operator=(const Operation&) = delete;
  ~Operation() {
    if (--log_.operations_ == 0) log_.changed_.notify_all();
  }

 private:
  Log& log_;
};

// Ends what begin_maintenance() began.
class Log::Maintenance {
 public:
  explicit Maintenance(Log& log) : log_(log) {}
  Maintenance(const Maintenance&) = delete;
  Maintenance& operator=(const Maintenance&) = delete;
  ~Maintenance() {
    log_.maintenance_ = log_.exclusive_ = false;
    log_.changed_.notify_all();
  }

 private:
  Log& log_;
};

struct Log::AppendPlan {
  AppendPlan(WriterState& writers, AppendOrigin origin) : update(writers, origin) {}

  std::vector<format::LogBatchHeader> batches;  // as they will be in the log
  model::Offset base;
  model::Offset next;
  model::Timestamp timestamp;
  int64_t records = 0;
  uint64_t bytes = 0;
  std::optional<WrittenBatch> duplicate;
  WriterStateUpdate update;
  // Where it goes.
  Segment* segment = nullptr;
  size_t offset_index_bytes = 0;
  size_t time_index_bytes = 0;
};

// co_await WriterCall(log, task, plan): hands the task to the writer and waits for it. The state of the log
// has moved, or it has failed, when the caller goes on.
class Log::WriterCall {
 public:
  WriterCall(Log& log, WriterTask task, const AppendPlan* plan)
      : log_(log), task_(std::move(task)), plan_(plan) {}
  WriterCall(const WriterCall&) = delete;
  WriterCall& operator=(const WriterCall&) = delete;

  bool await_ready() const { return false; }
  void await_suspend(std::coroutine_handle<> handle) {
    task_.log = &log_;
    task_.loop = &log_.loop_;
    task_.done = [this, handle](const Status& status) {
      finish(status);
      handle.resume();  // this is gone then
    };
    ++log_.tasks_;
    log_.directory_.writer().submit(std::move(task_));
  }
  Status await_resume() { return std::move(status_); }

 private:
  void finish(const Status& status) {
    status_ = status;
    if (--log_.tasks_ == 0) log_.changed_.notify_all();
    if (!status.ok()) {
      log_.fail(status.error());
    } else if (plan_ != nullptr) {
      log_.written(*plan_);
    }
  }

  Log& log_;
  WriterTask task_;
  const AppendPlan* plan_;
  Status status_;
};

}  // namespace strom::log
