#include "rpc/connection.h"

#include "base/logging.h"
#include "rpc/yield.h"

namespace strom::rpc {
namespace {

using async::Deadline;
using async::Instant;
using async::Task;
using async::WaitResult;

constexpr size_t kHeadSize = kFrameLengthSize + kRequestHeaderSize;
constexpr size_t kLengthSize = kFrameLengthSize;
constexpr async::Duration kFarewell = std::chrono::seconds(1);

// A body that gives its bytes back to the budget when the last slice of it goes.
struct ReservedBody {
  async::Reservation reservation;
  SharedBuffer bytes;
};

RequestReserve make_reserve(async::EventLoop& loop, size_t bytes, size_t requests) {
  return {async::Budget::create(loop, bytes), async::Budget::create(loop, requests)};
}

double milliseconds(int64_t from_ns, int64_t to_ns) { return static_cast<double>(to_ns - from_ns) / 1e6; }

void log_failure(const ConnectionInfo& info, ApiKey api, const Error& error) {
  // What a client did wrong is its own business; what went wrong here is the operator's.
  bool ours = error.code == ErrorCode::kUnknownServerError || error.code == ErrorCode::kLogStorage ||
              error.code == ErrorCode::kKvStorage || error.code == ErrorCode::kStorage;
  log_at(ours ? LogLevel::kWarn : LogLevel::kDebug, "rpc",
         "request failed api={} peer={} connection={} code={} error=\"{}\"", api, info.peer, info.id,
         error_name(error.code), error.message);
}

}  // namespace

ConnectionShared::ConnectionShared(async::EventLoop& loop, const Dispatcher& dispatcher, const Limits& limits,
                                   RpcMetrics metrics)
    : loop(loop),
      dispatcher(dispatcher),
      limits(limits),
      metrics(std::move(metrics)),
      writes(make_reserve(loop, limits.write_bytes, limits.max_requests)),
      others(make_reserve(loop, limits.other_bytes, limits.max_requests)) {}

const RequestReserve& ConnectionShared::reserve_of(int16_t api_key) const {
  const ApiRow* row = find_api(api_key);
  return row != nullptr && row->kind == ApiKind::kWrite ? writes : others;
}

ServerConnection::ServerConnection(ConnectionShared& shared, std::unique_ptr<async::Connection> connection,
                                   std::shared_ptr<const ConnectionInfo> info)
    : shared_(shared),
      connection_(std::move(connection)),
      info_(std::move(info)),
      input_(*connection_),
      requests_(shared.loop),
      writer_(shared.loop),
      progress_(shared.loop),
      last_activity_(shared.loop.now()) {}

Task<void> ServerConnection::serve(async::StopSource& stop) {
  End end = co_await read_requests(stop);
  if (!end) closed_ = true;
  co_await requests_.stop();
  if (end) {
    log_warn("rpc", "connection closed peer={} connection={} error=\"{}\"", info_->peer, info_->id,
             end->message);
    co_await say_failure(std::move(*end));
  }
  closed_ = true;
  connection_->close();
  co_await writer_.stop();
}

Task<ServerConnection::End> ServerConnection::read_requests(async::StopSource& stop) {
  End end;
  while (true) {
    if (!has_room() && !co_await wait_for_room(stop)) co_return end;
    if (input_.buffered().size() < kHeadSize && !co_await wait_for_head(stop, end)) co_return end;
    ByteView head = input_.buffered().first(kHeadSize);
    // The length was checked when it came.
    Arrival arrival{.header = decode_request_header(head.subspan<kLengthSize, kRequestHeaderSize>()),
                    .body_size = 0,
                    .at_ns = shared_.loop.now().ns};
    Result<size_t> body_size =
        decode_request_length(head.first<kLengthSize>(), shared_.limits.max_request_size);
    if (!body_size.ok()) co_return std::move(body_size).error();
    arrival.body_size = *body_size;
    input_.consume(kHeadSize);
    if (!co_await start_request(arrival, stop, end)) co_return end;
  }
}

bool ServerConnection::has_room() const {
  return in_progress_ < shared_.limits.max_requests_per_connection &&
         output_.size() + writing_bytes_ <= shared_.limits.max_output_backlog && !closed_;
}

Task<bool> ServerConnection::wait_for_room(async::StopSource& stop) {
  while (!has_room()) {
    if (closed_) co_return false;
    if (co_await progress_.wait(Deadline::until_stopped(stop)) == WaitResult::kStopped) co_return false;
  }
  co_return true;
}

bool ServerConnection::is_idle_at(Instant now) const {
  return in_progress_ == 0 && !writing_ && now >= last_activity_ + shared_.limits.max_idle;
}

// Waits until length and header have arrived. False when the connection ends first, with the reason in `end`
// if it is one to tell the client.
Task<bool> ServerConnection::wait_for_head(async::StopSource& stop, End& end) {
  async::EventLoop& loop = shared_.loop;
  while (input_.buffered().size() < kHeadSize) {
    size_t before = input_.buffered().size();
    if (before >= kLengthSize) {
      auto length =
          decode_request_length(input_.buffered().first<kLengthSize>(), shared_.limits.max_request_size);
      if (!length.ok()) {
        end = std::move(length).error();
        co_return false;
      }
    }
    if (writing_) co_await Yield{loop};  // the answers of this batch leave before we wait for the next
    Instant limit = before > 0 ? loop.now() + shared_.limits.patience
                               : std::max(last_activity_ + shared_.limits.max_idle, loop.now() + kFarewell);
    Result<size_t> count = co_await input_.read_more({limit, &stop});
    if (count.ok() && *count > 0) {
      last_activity_ = loop.now();
      shared_.metrics.bytes_in.add(static_cast<int64_t>(*count));
      continue;
    }
    bool timed_out = !count.ok() && !stop.stop_requested() && loop.now() >= limit;
    if (!timed_out) co_return false;
    if (before > 0) {
      end =
          make_error(ErrorCode::kUnknownServerError, "a frame began with {} bytes and did not go on", before);
      co_return false;
    }
    if (is_idle_at(loop.now())) co_return false;
  }
  co_return true;
}

// Reserves memory, reads the body and starts the handler. False as above.
Task<bool> ServerConnection::start_request(Arrival arrival, async::StopSource& stop, End& end) {
  const RequestReserve& reserve = shared_.reserve_of(arrival.header.api_key);
  auto slot = reserve.requests->try_reserve(1);
  if (!slot) slot = co_await reserve.requests->reserve(1, Deadline::until_stopped(stop));
  if (!slot) co_return false;
  Slice body;
  if (arrival.body_size > 0) {
    auto reservation = reserve.bytes->try_reserve(arrival.body_size);
    if (!reservation)
      reservation = co_await reserve.bytes->reserve(arrival.body_size, Deadline::until_stopped(stop));
    if (!reservation) co_return false;
    auto owner = std::make_shared<ReservedBody>(std::move(*reservation), SharedBuffer(arrival.body_size));
    MutableBytes bytes = owner->bytes.bytes();
    body = Slice(std::move(owner), bytes);
    if (size_t taken = input_.take(bytes); taken < bytes.size()) {
      Status read =
          co_await input_.read_exactly(bytes.subspan(taken), shared_.loop, shared_.limits.patience, &stop);
      if (!read.ok()) {
        // Who waits is told; who is gone is not.
        if (read.code() == ErrorCode::kRequestTimeOut) {
          end = make_error(ErrorCode::kUnknownServerError, "half a {} request: {}",
                           ApiKey(arrival.header.api_key), read.error().message);
        }
        co_return false;
      }
      last_activity_ = shared_.loop.now();
      shared_.metrics.bytes_in.add(static_cast<int64_t>(bytes.size() - taken));
    }
  }
  co_return requests_.spawn(run_request(arrival, std::move(body), std::move(*slot)));
}

Task<void> ServerConnection::run_request(Arrival arrival, Slice body, async::Reservation slot) {
  ++in_progress_;
  shared_.metrics.requests_in_progress.add(1);
  int64_t started_ns = shared_.loop.now().ns;
  RequestContext context{.connection = info_,
                         .api = ApiKey(arrival.header.api_key),
                         .version = arrival.header.version,
                         .deadline = requests_.deadline_after(shared_.limits.request_timeout)};
  Response response = co_await shared_.dispatcher.dispatch(std::move(context), std::move(body));
  --in_progress_;
  shared_.metrics.requests_in_progress.add(-1);
  slot = async::Reservation();
  answer(arrival, started_ns, response);
}

void ServerConnection::answer(const Arrival& arrival, int64_t started_ns, const Response& response) {
  const RequestMetrics& metrics = shared_.metrics.of(arrival.header.api_key, info_->session.internal);
  int64_t now_ns = shared_.loop.now().ns;
  metrics.requests.add();
  metrics.bytes.observe(static_cast<double>(arrival.body_size));
  metrics.queue_ms.observe(milliseconds(arrival.at_ns, started_ns));
  metrics.process_ms.observe(milliseconds(started_ns, now_ns));
  metrics.total_ms.observe(milliseconds(arrival.at_ns, now_ns));
  if (!response.ok()) {
    metrics.errors.add();
    if (!closed_) log_failure(*info_, ApiKey(arrival.header.api_key), response.error());
  }
  send(encode_response(arrival.header.id, response));
  progress_.notify_all();
}

void ServerConnection::send(const Payload& frame) {
  if (closed_) return;
  output_.add(frame);
  if (!writing_) writing_ = writer_.spawn(write_output());
}

// Writes until nothing is left. Begins after what runs now, so that answers which come together leave
// together.
Task<void> ServerConnection::write_output() {
  co_await Yield{shared_.loop};
  while (!output_.empty()) {
    writing_bytes_ = output_.size();
    Status written =
        co_await connection_->write(output_.take(), Deadline::after(shared_.loop, shared_.limits.max_idle));
    shared_.metrics.bytes_out.add(static_cast<int64_t>(writing_bytes_));
    writing_bytes_ = 0;
    if (!written.ok()) {
      closed_ = true;
      connection_->close();  // ends the reader, too
      output_ = {};
    }
    last_activity_ = shared_.loop.now();
    progress_.notify_all();
  }
  writing_ = false;
  progress_.notify_all();
}

// The last frame. Then takes what the client still sends, until it closes: closing with unread input would
// reset the connection and could take the frame back.
Task<void> ServerConnection::say_failure(Error error) {
  send(encode_server_failure(error));
  Deadline deadline = Deadline::after(shared_.loop, kFarewell);
  while (writing_) {
    if (co_await progress_.wait(deadline) != WaitResult::kReady) co_return;
  }
  Buffer scratch(16 * 1024);
  while (!closed_) {
    Result<size_t> count = co_await connection_->read(scratch, deadline);
    if (!count.ok() || *count == 0 || deadline.passed(shared_.loop)) co_return;
  }
}

}  // namespace strom::rpc
