#include "coordinator/transcript_testing.h"

#include <algorithm>
#include <charconv>

#include <fmt/ranges.h>

#include "base/contains.h"

namespace strom::coordinator::testing {

namespace {

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const size_t end = std::min(text.find(separator), text.size());
    if (end > 0) parts.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

int64_t parse_number(std::string_view text) {
  int64_t number = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  STROM_CHECK(error == std::errc() && end == text.data() + text.size(), "'{}' is no number", text);
  return number;
}

model::DataType parse_type(std::string_view name) {
  if (name == "int") return model::DataType::integer();
  if (name == "int-not-null") return model::DataType::integer().not_null();
  if (name == "bigint") return model::DataType::big_int();
  if (name == "string") return model::DataType::string();
  if (name == "date") return model::DataType::date();
  if (name == "decimal") return model::DataType::decimal(10, 2);
  STROM_CHECK(false, "'{}' is no type of the transcripts", name);
}

model::Column parse_column(const std::string& text) {
  const size_t colon = text.find(':');
  STROM_CHECK(colon != std::string::npos, "'{}' is no column: expected NAME:TYPE", text);
  return {.name = text.substr(0, colon), .type = parse_type(std::string_view(text).substr(colon + 1))};
}

model::TableDescriptor parse_descriptor(const Command& command) {
  model::TableDescriptor descriptor;
  descriptor.partition_keys = command.list("partitioned");
  model::SchemaBuilder schema;
  if (!command.option("columns")) {
    schema.column("id", model::DataType::integer());
    for (const std::string& key : descriptor.partition_keys) schema.column(key, model::DataType::string());
  }
  for (const std::string& text : command.list("columns")) {
    const model::Column column = parse_column(text);
    schema.column(column.name, column.type);
  }
  if (command.option("key")) schema.primary_key(command.list("key"));
  descriptor.schema = schema.build().value();
  model::Distribution distribution{.bucket_keys = command.list("bucket-key")};
  if (auto buckets = command.option("buckets"))
    distribution.bucket_count = static_cast<int32_t>(parse_number(*buckets));
  descriptor.distribution = distribution;
  if (auto factor = command.option("rf")) descriptor.properties.set(model::kReplicationFactorKey, *factor);
  for (const auto& [key, value] : command.options()) {
    if (model::is_table_property(key)) descriptor.properties.set(key, value);
    if (key.starts_with("custom.")) descriptor.custom_properties.set(key, value);
  }
  return descriptor;
}

model::Properties with_prefix(const Command& command, std::string_view prefix) {
  model::Properties properties;
  for (const auto& [key, value] : command.options()) {
    if (key.starts_with(prefix)) properties.set(std::string_view(key).substr(prefix.size()), value);
  }
  return properties;
}

TableBucket parse_bucket(std::string_view text) {
  TableBucket bucket;
  const auto parts = split(text, '/');
  bucket.table = TableId(parse_number(parts.front()));
  bucket.bucket = BucketId(static_cast<int32_t>(parse_number(parts.back().substr(1))));
  if (parts.size() == 3) bucket.partition = PartitionId(parse_number(parts[1].substr(1)));
  return bucket;
}

Event parse_database_event(const Command& command) {
  const std::string database = command.word(0);
  if (command.name() == "drop-database")
    return DropDatabase{database, command.has("ignore"), command.has("cascade")};
  if (command.name() == "alter-database") {
    return AlterDatabase{database, with_prefix(command, "set."), command.list("reset"),
                         command.option("comment"), command.has("ignore")};
  }
  model::DatabaseDescriptor descriptor{.comment = command.option("comment")};
  for (const auto& [key, value] : command.options()) {
    if (key != "comment") descriptor.custom_properties.set(key, value);
  }
  return CreateDatabase{database, descriptor, command.has("ignore")};
}

TablePath parse_path(const std::string& text) {
  const size_t dot = std::min(text.find('.'), text.size());
  return {text.substr(0, dot), text.substr(std::min(dot + 1, text.size()))};
}

std::optional<Event> parse_table_event(const Command& command) {
  const TablePath path = parse_path(command.word(0));
  const bool ignore = command.has("ignore");
  if (command.name() == "create-table") return CreateTable{path, parse_descriptor(command), ignore};
  if (command.name() == "drop-table") return DropTable{path, ignore};
  if (command.name() == "create-partition") return CreatePartition{path, {command.options()}, ignore};
  if (command.name() == "drop-partition") return DropPartition{path, {command.options()}, ignore};
  AlterTable alter{.path = path, .ignore_if_missing = ignore};
  if (command.name() == "alter-table") {
    alter.set = with_prefix(command, "set.");
    alter.reset = command.list("reset");
    return alter;
  }
  if (command.name() != "add-column") return std::nullopt;
  for (const std::string& word : command.words()) {
    if (word.find(':') != std::string::npos) alter.add_columns.push_back(parse_column(word));
  }
  return alter;
}

// --- printing

// What a node holds: numbers in full, documents as they are while they are short.
std::string print_data(const metastore::Operation& write) {
  if (write.path.ends_with("_seqid")) return fmt::to_string(model::decode_counter(write.data).value());
  constexpr size_t kShown = 80;
  const std::string_view text = as_text(write.data);
  if (text.size() <= kShown) return std::string(text);
  return fmt::format("{}... {} bytes", text.substr(0, kShown - 20), text.size());
}

std::string print_write(const metastore::Operation& write) {
  using Kind = metastore::Operation::Kind;
  switch (write.kind) {
    case Kind::kCreate:
      return fmt::format("create {} {}", write.path, print_data(write));
    case Kind::kSet:
      return fmt::format("set {} {}", write.path, print_data(write));
    case Kind::kPut:
      return fmt::format("put {} {}", write.path, print_data(write));
    case Kind::kDelete:
      return fmt::format("remove {}", write.path);
    case Kind::kDeleteTree:
      return fmt::format("remove-tree {}", write.path);
    case Kind::kCheck:
      return fmt::format("check {} version={}", write.path, write.version);
  }
  return "";
}

std::string print_servers(const std::vector<ServerId>& servers) {
  std::vector<int32_t> numbers;
  for (ServerId server : servers) numbers.push_back(server.value);
  return fmt::format("{}", fmt::join(numbers, ","));
}

std::string print_leadership(const LeaderAndIsr& leadership) {
  return fmt::format("leader={} epoch={} isr=[{}] bucket-epoch={} coordinator={}", leadership.leader,
                     leadership.leader_epoch, print_servers(leadership.isr), leadership.bucket_epoch,
                     leadership.coordinator_epoch);
}

std::string print_deletion(const Deletion& deletion) {
  std::vector<std::string> remaining;
  for (const auto& [bucket, server] : deletion.remaining)
    remaining.push_back(fmt::format("{}@{}", bucket, server));
  return fmt::format("remaining=[{}]", fmt::join(remaining, " "));
}

std::string print_key(const DeletionKey& key) {
  return key.second ? fmt::format("{}/p{}", key.first, *key.second) : fmt::format("{}", key.first);
}

std::string print_table(const TableState& table) {
  std::vector<std::string> columns;
  for (const model::Column& column : table.schema.columns())
    columns.push_back(fmt::format("{}#{}", column.name, column.id));
  std::string text = fmt::format("{} id={} schema={} columns=[{}]", table.path, table.id(), table.schema_id,
                                 fmt::join(columns, ","));
  if (table.is_partitioned())
    text += fmt::format(" partitioned=[{}]", fmt::join(table.registration.partition_keys, ","));
  for (const auto& [key, value] : table.registration.properties) text += fmt::format(" {}={}", key, value);
  for (const auto& [key, value] : table.registration.custom_properties)
    text += fmt::format(" {}={}", key, value);
  return text;
}

struct PrintChange {
  std::string operator()(const PutDatabase& change) const { return "put database " + change.name; }
  std::string operator()(const EraseDatabase& change) const { return "erase database " + change.name; }
  std::string operator()(const PutTable& change) const { return "put table " + print_table(change.table); }
  std::string operator()(const EraseTable& change) const {
    return fmt::format("erase table {}", change.path);
  }
  std::string operator()(const PutPartition& change) const {
    return fmt::format("put partition {} {} id={}", change.path, change.partition.name,
                       change.partition.registration.partition_id);
  }
  std::string operator()(const ErasePartition& change) const {
    return fmt::format("erase partition {} {}", change.path, change.name);
  }
  std::string operator()(const PutLeadership& change) const {
    return fmt::format("put leadership {}{}{} bucket {} {}", change.path,
                       change.partition_name.empty() ? "" : " ", change.partition_name, change.bucket,
                       print_leadership(change.leadership));
  }
  std::string operator()(const PutServer& change) const { return fmt::format("put server {}", change.id); }
  std::string operator()(const EraseServer& change) const {
    return fmt::format("erase server {}", change.id);
  }
  std::string operator()(const PutDeletion& change) const {
    return fmt::format("put deletion {} {}", print_key({change.deletion.table, change.deletion.partition}),
                       print_deletion(change.deletion));
  }
  std::string operator()(const EraseDeletion& change) const {
    return fmt::format("erase deletion {}", print_key(change.key));
  }
  std::string operator()(const SetNextIds& change) const {
    return fmt::format("next ids table={} partition={}", change.next_table_id, change.next_partition_id);
  }
};

struct PrintSend {
  std::string operator()(const NotifyLeaders& send) const {
    std::string text = fmt::format("send {} notify-leaders", send.server);
    for (const BucketLeadership& bucket : send.buckets) {
      text += fmt::format("\n  {} {} {} replicas=[{}]", bucket.bucket, bucket.path.to_string(),
                          print_leadership(bucket.leadership), print_servers(bucket.replicas));
    }
    return text;
  }
  std::string operator()(const UpdateMetadata& send) const {
    std::string text = fmt::format("send {} update-metadata", print_servers(send.servers));
    for (const auto& table : send.update.tables) {
      text += fmt::format("\n  table {} id={} schema={}", table.path, table.table_id, table.schema_id);
    }
    for (const auto& one : send.update.partitions)
      text += fmt::format("\n  partition {}/p{} {}", one.table, one.id, one.name);
    for (const auto& bucket : send.update.buckets) {
      text += fmt::format("\n  bucket {} leader={} epoch={}", bucket.bucket, bucket.leadership.leader,
                          bucket.leadership.leader_epoch);
    }
    for (const auto& [path, id] : send.update.dropped_tables)
      text += fmt::format("\n  dropped table {} id={}", path, id);
    for (const auto& one : send.update.dropped_partitions) {
      text += fmt::format("\n  dropped partition {}/p{} {}", one.table, one.id, one.name);
    }
    return text;
  }
  std::string operator()(const StopReplicas& send) const {
    std::string text = fmt::format("send {} stop-replicas", send.server);
    for (const ReplicaStop& stop : send.replicas) {
      text +=
          fmt::format("\n  {} epoch={}{}", stop.bucket, stop.leader_epoch, stop.delete_data ? " delete" : "");
    }
    return text;
  }
};

void print_buckets(const Buckets& buckets, std::string_view indent, std::string& text) {
  for (const auto& [id, bucket] : buckets) {
    text += fmt::format("{}bucket {} {} replicas=[{}]\n", indent, id, print_leadership(bucket.leadership),
                        print_servers(bucket.replicas));
  }
}

}  // namespace

Command Command::parse(std::string_view line) {
  Command command;
  auto tokens = split(line, ' ');
  STROM_CHECK(!tokens.empty(), "a command has no name");
  command.name_ = tokens.front();
  for (const std::string& token : std::span(tokens).subspan(1)) {
    const size_t equals = token.find('=');
    if (equals == std::string::npos) {
      command.words_.push_back(token);
    } else {
      command.options_.emplace_back(token.substr(0, equals), token.substr(equals + 1));
    }
  }
  return command;
}

bool Command::has(std::string_view word) const { return contains(words_, word); }

std::optional<std::string> Command::option(std::string_view key) const {
  for (const auto& [name, value] : options_) {
    if (name == key) return value;
  }
  return std::nullopt;
}

int64_t Command::number(std::string_view key, int64_t otherwise) const {
  auto text = option(key);
  return text ? parse_number(*text) : otherwise;
}

std::vector<std::string> Command::list(std::string_view key) const {
  return split(option(key).value_or(""), ',');
}

std::optional<Event> parse_event(const Command& command) {
  if (command.name().ends_with("-database")) return parse_database_event(command);
  if (command.name() == "server-joined") {
    model::TabletServerRegistration registration{.registered = Timestamp(command.number("registered", 0)),
                                                 .rack = command.option("rack")};
    return ServerJoined{ServerId(static_cast<int32_t>(parse_number(command.word(0)))), registration};
  }
  if (command.name() == "server-left")
    return ServerLeft{ServerId(static_cast<int32_t>(parse_number(command.word(0))))};
  if (command.name() == "replicas-stopped") {
    ReplicasStopped event{ServerId(static_cast<int32_t>(parse_number(command.word(0)))), {}};
    for (size_t i = 1; i < command.words().size(); ++i)
      event.stopped.push_back(parse_bucket(command.word(i)));
    return event;
  }
  return parse_table_event(command);
}

std::string print(const Plan& plan) {
  std::string text(plan.reply.ok() ? "ok" : error_name(plan.reply.code()));
  text += "\n";
  for (const auto& write : plan.writes) text += "write " + print_write(write) + "\n";
  for (const Change& change : plan.changes) text += std::visit(PrintChange{}, change) + "\n";
  for (const Send& send : plan.sends) text += std::visit(PrintSend{}, send) + "\n";
  return text;
}

std::string print(const State& state) {
  std::string text = fmt::format("epoch={} next-table={} next-partition={}\n", state.epoch,
                                 state.next_table_id, state.next_partition_id);
  for (const auto& [name, database] : state.databases) {
    text += fmt::format("database {} {}\n", name, database.to_json());
  }
  for (const auto& [path, table] : state.tables) {
    text += "table " + print_table(table) + "\n";
    print_buckets(table.buckets, "  ", text);
    for (const auto& [name, partition] : table.partitions) {
      text += fmt::format("  partition {} id={}\n", name, partition.registration.partition_id);
      print_buckets(partition.buckets, "    ", text);
    }
  }
  for (const auto& [id, server] : state.servers)
    text += fmt::format("server {} rack={}\n", id, server.rack.value_or("-"));
  for (const auto& [key, deletion] : state.deletions) {
    text += fmt::format("deletion {} {}\n", print_key(key), print_deletion(deletion));
  }
  return text;
}

}  // namespace strom::coordinator::testing
