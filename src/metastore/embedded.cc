#include "metastore/embedded.h"

#include <rocksdb/db.h>

#include "async/scope.h"
#include "base/endian.h"
#include "base/logging.h"
#include "metastore/tree.h"

namespace strom::metastore {
namespace {

constexpr SessionId kSession = 1;

Error store_error(std::string_view what, const std::string& directory, const rocksdb::Status& status) {
  return make_error(ErrorCode::kLogStorage, "metadata store {}: {}: {}", directory, what, status.ToString());
}

rocksdb::Options store_options() {
  rocksdb::Options options;
  options.create_if_missing = true;
  options.write_buffer_size = 4 << 20;
  options.max_open_files = 64;
  options.keep_log_file_num = 2;
  options.paranoid_checks = true;
  options.stats_dump_period_sec = 0;
  return options;
}

std::string encode(const Node& node) {
  std::string value(4, '\0');
  store_le(reinterpret_cast<uint8_t*>(value.data()), node.version);
  value.append(as_text(node.data));
  return value;
}

Status load_all(rocksdb::DB& db, const std::string& directory, Tree& tree) {
  std::unique_ptr<rocksdb::Iterator> rows(db.NewIterator(rocksdb::ReadOptions()));
  for (rows->SeekToFirst(); rows->Valid(); rows->Next()) {
    std::string path = rows->key().ToString();
    rocksdb::Slice value = rows->value();
    if (!is_valid_path(path) || value.size() < 4) {
      return make_error(ErrorCode::kLogStorage, "metadata store {} is damaged: the row '{}' is no node",
                        directory, path);
    }
    ByteView bytes(reinterpret_cast<const uint8_t*>(value.data()), value.size());
    tree.load(path, {Buffer(bytes.begin() + 4, bytes.end()), load_le<int32_t>(bytes.data())});
  }
  if (!rows->status().ok()) return store_error("can't be read", directory, rows->status());
  return {};
}

class TreeWatch final : public Watch {
 public:
  TreeWatch(std::shared_ptr<Tree> tree, Tree::WatchId id) : tree_(std::move(tree)), id_(id) {}
  ~TreeWatch() override { tree_->remove_watch(id_); }

 private:
  std::shared_ptr<Tree> tree_;
  Tree::WatchId id_;
};

class EmbeddedMetastore final : public Metastore {
 public:
  EmbeddedMetastore(async::Runtime& runtime, async::EventLoop& loop, std::string directory,
                    std::shared_ptr<rocksdb::DB> db, std::shared_ptr<Tree> tree)
      : loop_(loop),
        directory_(std::move(directory)),
        db_(std::move(db)),
        tree_(std::move(tree)),
        writer_(runtime.make_writer("strom-meta")),
        turn_(loop) {}

  async::Task<Result<std::optional<Node>>> get(std::string path) override {
    const Tree::Entry* entry = tree_->find(path);
    if (entry == nullptr) co_return std::optional<Node>();
    co_return std::optional<Node>(entry->node);
  }

  async::Task<Result<std::vector<std::string>>> children(std::string path) override {
    const Tree::Entry* entry = tree_->find(path);
    if (entry == nullptr) co_return std::vector<std::string>();
    co_return std::vector<std::string>(entry->children.begin(), entry->children.end());
  }

  async::Task<Result<CommitOutcome>> commit(std::vector<Operation> operations) override {
    // One commit at a time, in the order of the calls: each is checked against what the one before left.
    const uint64_t ticket = next_ticket_++;
    while (ticket != serving_) co_await turn_.wait(async::Deadline{});
    auto outcome = co_await commit_now(std::move(operations));
    ++serving_;
    turn_.notify_all();
    co_return outcome;
  }

  std::unique_ptr<Watch> watch(std::string path, std::function<void()> changed) override {
    return std::make_unique<TreeWatch>(tree_, tree_->add_watch(path, std::move(changed)));
  }

  void on_session_expired(std::function<void()>) override {}  // the session is the process

  async::Task<Status> close() override {
    while (next_ticket_ != serving_) co_await turn_.wait(async::Deadline{});
    tree_ = std::make_shared<Tree>();
    co_await async::run_on(*writer_, loop_, [db = std::move(db_)]() mutable {
      db.reset();
      return true;
    });
    co_return Status();
  }

 private:
  async::Task<Result<CommitOutcome>> commit_now(std::vector<Operation> operations) {
    if (db_ == nullptr) co_return make_error(ErrorCode::kLogStorage, "the metadata store is closed");
    if (!broken_.ok()) co_return broken_.error();
    std::vector<Tree::Change> changes;
    CommitOutcome outcome = tree_->plan(operations, changes);
    if (!outcome.committed() || changes.empty()) co_return outcome;
    auto batch = std::make_shared<rocksdb::WriteBatch>();
    for (const Tree::Change& change : changes) {
      if (change.node && !change.ephemeral) {
        batch->Put(change.path, encode(*change.node));
      } else {
        batch->Delete(change.path);
      }
    }
    rocksdb::Status written = co_await async::run_on(*writer_, loop_, [db = db_, batch] {
      rocksdb::WriteOptions options;
      options.sync = true;
      return db->Write(options, batch.get());
    });
    if (!written.ok()) {
      broken_ = store_error("a commit failed; nothing more is written until the server is restarted",
                            directory_, written);
      log_error("metastore", "{}", broken_.error().message);
      co_return broken_.error();
    }
    tree_->apply(changes, kSession);
    co_return outcome;
  }

  async::EventLoop& loop_;
  std::string directory_;
  std::shared_ptr<rocksdb::DB> db_;
  std::shared_ptr<Tree> tree_;
  std::unique_ptr<async::Worker> writer_;
  async::WaitList turn_;
  uint64_t next_ticket_ = 0;
  uint64_t serving_ = 0;
  Status broken_;
};

struct Opened {
  std::shared_ptr<rocksdb::DB> db;
  std::shared_ptr<Tree> tree = std::make_shared<Tree>();
};

Result<Opened> open_blocking(const std::string& directory) {
  Opened opened;
  rocksdb::DB* db = nullptr;
  rocksdb::Status status = rocksdb::DB::Open(store_options(), directory, &db);
  if (!status.ok()) return store_error("can't be opened", directory, status);
  opened.db.reset(db);
  STROM_TRY(load_all(*opened.db, directory, *opened.tree));
  return opened;
}

}  // namespace

async::Task<Result<std::unique_ptr<Metastore>>> open_embedded(async::Runtime& runtime, async::EventLoop& loop,
                                                              std::string directory) {
  STROM_CO_TRY(runtime.disk().create_directories(directory));
  Opened opened = STROM_CO_TRY(
      co_await async::run_on(runtime.pool(), loop, [directory] { return open_blocking(directory); }));
  co_return std::unique_ptr<Metastore>(std::make_unique<EmbeddedMetastore>(
      runtime, loop, std::move(directory), std::move(opened.db), std::move(opened.tree)));
}

}  // namespace strom::metastore
