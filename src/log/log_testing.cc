#include "log/log_testing.h"

#include "format/log_batch_builder.h"

namespace strom::log::testing {

Buffer make_batch(const BatchSpec& spec) {
  format::LogBatchBuilder builder({.writer = model::WriterId(spec.writer),
                                   .sequence = model::BatchSequence(spec.sequence),
                                   .base_offset = model::Offset(spec.base_offset),
                                   .commit_timestamp = model::Timestamp(spec.timestamp)});
  for (int32_t i = 0; i < spec.records; ++i) {
    Buffer row(spec.payload, spec.fill);
    builder.add_row(format::ChangeType::kAppendOnly, row);
  }
  return std::move(builder).finish();
}

Slice concatenated(const std::vector<Buffer>& batches) {
  Buffer all;
  for (const Buffer& one : batches) append(all, one);
  return Slice::own(std::move(all));
}

std::vector<format::LogBatchHeader> headers_of(const Slice& records) {
  std::vector<format::LogBatchHeader> headers;
  format::LogBatchIterator batches(records.view(), format::PartialTail::kError);
  while (batches.next().value()) headers.push_back(batches.batch().header());
  return headers;
}

model::TableBucket bucket(int32_t number, int64_t table) {
  return {model::TableId(table), std::nullopt, model::BucketId(number)};
}

model::PhysicalTablePath table(const std::string& name) { return {{"db", name}, std::nullopt}; }

SimSite::SimSite(uint64_t seed, LogConfig log_config, bool sync)
    : world(seed), machine(world.add_machine("server-0")), config(log_config), sync_before_ack(sync) {
  boot();
}

SimSite::~SimSite() {
  if (runtime) stop(false);
}

void SimSite::boot() {
  runtime = machine.boot();
  files = std::make_unique<FileCache>(runtime->disk(), 8);
  directory = LogDirectory::open(*runtime, *files, {"/data", model::ServerId(0), sync_before_ack}).value();
}

void SimSite::stop(bool clean) {
  if (clean) run(directory->shut_down(loop())).value();
  world.run_for(std::chrono::seconds(1));
  directory.reset();
  files.reset();
  runtime.reset();
}

void SimSite::crash(async::Crash kind, std::unique_ptr<Log> log) {
  machine.crash(kind);
  if (log) {
    Status ignored = run(log->close());
    log.reset();
  }
  stop(false);
}

Result<std::unique_ptr<Log>> SimSite::open(int32_t number) {
  return run(Log::open(*directory, loop(),
                       {bucket(number), directory->bucket_path(table(), bucket(number)), config}));
}

std::unique_ptr<Log> SimSite::log(int32_t number) { return open(number).value(); }

void SimSite::close(std::unique_ptr<Log> log) { run(log->close()).value(); }

std::string SimSite::path_of(std::string_view file, int32_t number) const {
  return fmt::format("/data/db/t-7/log-{}/{}", number, file);
}

DiskSite::DiskSite() {
  std::string name = (std::filesystem::temp_directory_path() / "strom-log-XXXXXX").string();
  STROM_CHECK(::mkdtemp(name.data()) != nullptr);
  path = name;
  boot();
}

DiskSite::~DiskSite() {
  if (runtime) stop(false);
  std::filesystem::remove_all(path);
}

void DiskSite::boot() {
  runtime = std::make_unique<async::SystemRuntime>(async::SystemRuntime::Config{.shards = 1});
  files = std::make_unique<FileCache>(runtime->disk(), 8);
  directory = LogDirectory::open(*runtime, *files, {path.string(), model::ServerId(0)}).value();
}

void DiskSite::stop(bool clean) {
  if (clean) run(directory->shut_down(loop())).value();
  directory.reset();
  files.reset();
  runtime.reset();
}

void DiskSite::run_to_end(async::TaskScope& scope) {
  while (true) {
    std::promise<size_t> running;
    loop().post([&] { running.set_value(scope.running()); });
    if (running.get_future().get() == 0) return;
  }
}

LogConfig small_segments() { return {.segment_bytes = 1000, .index_interval_bytes = 100}; }

std::vector<int64_t> numbers(int64_t from, int64_t to) {
  std::vector<int64_t> all;
  for (int64_t i = from; i < to; ++i) all.push_back(i);
  return all;
}

std::vector<int64_t> bases_of(const Slice& records) {
  std::vector<int64_t> bases;
  for (const auto& header : headers_of(records)) bases.push_back(header.base_offset.value);
  return bases;
}

AppendResult append_to(SimSite& site, Log& log, Slice records) {
  return site.run(log.append_as_leader(std::move(records))).value();
}

void fill(SimSite& site, Log& log, int count) {
  for (int i = 0; i < count; ++i) append_to(site, log, batch({.fill = static_cast<uint8_t>(i)}));
}

std::vector<int64_t> read_all(SimSite& site, Log& log, model::Offset from, size_t max_bytes) {
  std::vector<int64_t> bases;
  while (from < log.end_offset()) {
    ReadResult result =
        site.run(log.read({.from = from, .upper_bound = kNoBound, .max_bytes = max_bytes, .check_crc = true}))
            .value();
    STROM_CHECK(result.next_offset > from, "no progress at {}", from);
    for (int64_t base : bases_of(result.records)) bases.push_back(base);
    from = result.next_offset;
  }
  return bases;
}

Result<AppendResult> try_append(SimSite& site, Log& log, int64_t id) {
  return site.run(log.append_as_leader(batch({.writer = id, .sequence = 0})));
}

void fill_ids(SimSite& site, Log& log, int64_t from, int64_t to) {
  for (int64_t id = from; id < to; ++id) try_append(site, log, id).value();
}

Result<std::vector<int64_t>> read_ids(SimSite& site, Log& log) {
  std::vector<int64_t> ids;
  for (model::Offset from = log.start_offset(); from < log.end_offset();) {
    ReadResult result =
        STROM_TRY(site.run(log.read({.from = from, .upper_bound = kNoBound, .check_crc = true})));
    for (const auto& header : headers_of(result.records)) {
      STROM_CHECK(header.base_offset == from, "a gap at {}", from);
      from = header.next_offset();
      ids.push_back(header.writer.value);
    }
  }
  return ids;
}

}  // namespace strom::log::testing
