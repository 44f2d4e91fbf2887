// Writing protobuf messages that contain large byte fields: the small fields go to prefix buffers, the large
// ones stay the slices that they are. A message describes its fields once, to a template `write_fields(sink,
// message)`; the sink either counts (nested lengths come before their content) or writes. Included by
// rpc/messages/*.cc only. Any thread. Format: docs/formats/rpc.md.
#pragma once

#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <protozero/buffer_string.hpp>
#include <protozero/data_view.hpp>
#include <protozero/pbf_reader.hpp>
#include <protozero/varint.hpp>

#include "base/result.h"
#include "base/strong_id.h"
#include "rpc/payload.h"

namespace strom::rpc::wire {

inline constexpr uint32_t kVarint = 0;
inline constexpr uint32_t kBytes = 2;
constexpr uint32_t tag(uint32_t field, uint32_t type) { return field << 3 | type; }

// Counts the bytes of what is written to it.
class Counter {
 public:
  void raw(uint64_t value) { size_ += static_cast<size_t>(protozero::length_of_varint(value)); }
  void slice(const Slice& slice) { size_ += slice.size(); }
  void text(std::string_view text) { size_ += text.size(); }
  size_t size() const { return size_; }

 private:
  size_t size_ = 0;
};

// Collects the bytes: slices shorter than kCopyBelow are copied, longer ones are referred to.
class Collector {
 public:
  static constexpr size_t kCopyBelow = 512;
  void raw(uint64_t value) { protozero::add_varint_to_buffer(&prefix_, value); }
  void slice(const Slice& slice) {
    if (slice.size() < kCopyBelow) return text(as_text(slice.view()));
    close_prefix();
    payload_.add(slice);
  }
  void text(std::string_view text) { prefix_.append(text); }
  Payload take() && {
    close_prefix();
    return std::move(payload_);
  }

 private:
  void close_prefix() {
    if (!prefix_.empty()) payload_.add(Slice::own(std::move(prefix_)));
    prefix_.clear();
  }
  std::string prefix_;
  Payload payload_;
};

// Negative int32 and int64 values take ten bytes, as in every protobuf.
template <class Sink>
void put(Sink& sink, uint32_t field, int64_t value) {
  sink.raw(tag(field, kVarint));
  sink.raw(static_cast<uint64_t>(value));
}
template <class Sink>
void put(Sink& sink, uint32_t field, int32_t value) {
  put(sink, field, static_cast<int64_t>(value));
}
template <class Sink>
void put(Sink& sink, uint32_t field, bool value) {
  put(sink, field, static_cast<int64_t>(value));
}
template <class Sink, class Tag, class Rep>
void put(Sink& sink, uint32_t field, const StrongId<Tag, Rep>& value) {
  put(sink, field, static_cast<int64_t>(value.value));
}
template <class Sink>
void put(Sink& sink, uint32_t field, std::string_view value) {
  sink.raw(tag(field, kBytes));
  sink.raw(value.size());
  sink.text(value);
}
template <class Sink>
void put(Sink& sink, uint32_t field, const std::string& value) {
  put(sink, field, std::string_view(value));
}
template <class Sink>
void put(Sink& sink, uint32_t field, const Slice& value) {
  sink.raw(tag(field, kBytes));
  sink.raw(value.size());
  sink.slice(value);
}
template <class Sink>
void put(Sink& sink, uint32_t field, const Payload& value) {
  sink.raw(tag(field, kBytes));
  sink.raw(value.size());
  for (const Slice& part : value.parts()) sink.slice(part);
}
template <class Sink, class T>
void put(Sink& sink, uint32_t field, const std::optional<T>& value) {
  if (value) put(sink, field, *value);
}
template <class Sink>
void put_packed(Sink& sink, uint32_t field, const std::vector<int32_t>& values) {
  if (values.empty()) return;
  Counter counter;
  for (int32_t value : values) counter.raw(static_cast<uint64_t>(int64_t{value}));
  sink.raw(tag(field, kBytes));
  sink.raw(counter.size());
  for (int32_t value : values) sink.raw(static_cast<uint64_t>(int64_t{value}));
}
// A nested message; its write_fields(sink, message) is found by argument lookup.
template <class Sink, class Message>
void put_message(Sink& sink, uint32_t field, const Message& message) {
  Counter counter;
  write_fields(counter, message);
  sink.raw(tag(field, kBytes));
  sink.raw(counter.size());
  write_fields(sink, message);
}

// error_code at `field`, error_message behind it; nothing on success: a code that is present means failure to
// clients.
template <class Sink>
void put_error(Sink& sink, uint32_t field, const std::optional<Error>& error) {
  if (!error) return;
  put(sink, field, static_cast<int32_t>(error->code));
  if (!error->message.empty()) put(sink, field + 1, error->message);
}

template <class Message>
Payload encode(const Message& message) {
  Collector collector;
  write_fields(collector, message);
  return std::move(collector).take();
}

// Reading. protozero throws on malformed input; decode() in each file turns that into an Error.
using Reader = protozero::pbf_reader;
inline Reader reader_of(ByteView bytes) {
  return Reader(protozero::data_view(as_text(bytes).data(), bytes.size()));
}

// The part of `body` that `view`, read from it, covers.
inline Slice slice_of(const Slice& body, protozero::data_view view) {
  return body.sub(static_cast<size_t>(view.data() - as_text(body.view()).data()), view.size());
}

// The two fields of a bucket's error as they are read.
struct BucketError {
  std::optional<int32_t> code;
  std::string message;
  std::optional<Error> take() && {
    if (!code) return std::nullopt;
    return Error{ErrorCode(*code), std::move(message)};
  }
};

// A message that lacks a required field.
struct MissingField : std::exception {
  explicit MissingField(const char* field) : field(field) {}
  const char* what() const noexcept override { return field; }
  const char* field;
};
template <class T>
T required(const std::optional<T>& value, const char* field) {
  if (!value) throw MissingField(field);
  return *value;
}

// Entries of one repeated field: bounds the memory that a small request can ask for when it is decoded.
inline constexpr size_t kMaxEntries = 1 << 17;
struct TooManyEntries : std::exception {
  const char* what() const noexcept override { return "more than 131072 entries in one list"; }
};
template <class T>
void push(std::vector<T>& list, T value) {
  if (list.size() >= kMaxEntries) throw TooManyEntries();
  list.push_back(std::move(value));
}

// Runs `decode(body)`, which throws, as a function that returns an Error of the code that the Java server
// answers.
template <class Message, class Decode>
Result<Message> guarded(const char* name, const Slice& body, Decode decode) {
  try {
    return decode(body);
  } catch (const MissingField& e) {
    return make_error(ErrorCode::kUnknownServerError, "{} lacks the required field {}", name, e.what());
  } catch (const TooManyEntries& e) {
    return make_error(ErrorCode::kUnknownServerError, "{} has {}", name, e.what());
  } catch (const protozero::exception& e) {
    return make_error(ErrorCode::kUnknownServerError, "{} of {} bytes is malformed: {}", name, body.size(),
                      e.what());
  }
}

}  // namespace strom::rpc::wire
