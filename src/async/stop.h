// StopSource and StopToken: tell every wait below an owner that it is over. One loop; no locks.
// A stop happens once. Callbacks run inside request_stop(), in the order of their registration.
#pragma once

#include <functional>

#include "base/check.h"

namespace strom::async {

class StopCallback;

class StopSource {
 public:
  StopSource() = default;
  StopSource(const StopSource&) = delete;
  StopSource& operator=(const StopSource&) = delete;
  ~StopSource();

  bool stop_requested() const { return stopped_; }
  void request_stop();

 private:
  friend class StopCallback;
  void add(StopCallback* callback);
  void remove(StopCallback* callback);

  bool stopped_ = false;
  StopCallback* first_ = nullptr;
  StopCallback* last_ = nullptr;
};

// Calls `on_stop` when the source stops, unless it went away before. Registered while it lives; a source that
// has stopped already calls nothing (ask stop_requested() first).
class StopCallback {
 public:
  using Function = void (*)(void* context);
  StopCallback() = default;
  StopCallback(const StopCallback&) = delete;
  StopCallback& operator=(const StopCallback&) = delete;
  ~StopCallback() { disarm(); }

  void arm(StopSource* source, Function on_stop, void* context);
  void disarm();

 private:
  friend class StopSource;
  StopSource* source_ = nullptr;
  StopCallback* previous_ = nullptr;
  StopCallback* next_ = nullptr;
  Function on_stop_ = nullptr;
  void* context_ = nullptr;
};

}  // namespace strom::async
