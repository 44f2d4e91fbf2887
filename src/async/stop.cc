#include "async/stop.h"

namespace strom::async {

StopSource::~StopSource() { STROM_CHECK(first_ == nullptr, "a wait outlives the owner of its stop source"); }

void StopSource::add(StopCallback* callback) {
  callback->previous_ = last_;
  callback->next_ = nullptr;
  (last_ ? last_->next_ : first_) = callback;
  last_ = callback;
}

void StopSource::remove(StopCallback* callback) {
  (callback->previous_ ? callback->previous_->next_ : first_) = callback->next_;
  (callback->next_ ? callback->next_->previous_ : last_) = callback->previous_;
}

void StopSource::request_stop() {
  stopped_ = true;
  while (StopCallback* callback = first_) {
    callback->disarm();
    callback->on_stop_(callback->context_);
  }
}

void StopCallback::arm(StopSource* source, Function on_stop, void* context) {
  disarm();
  source_ = source;
  on_stop_ = on_stop;
  context_ = context;
  source_->add(this);
}

void StopCallback::disarm() {
  if (source_ == nullptr) return;
  source_->remove(this);
  source_ = nullptr;
}

}  // namespace strom::async
