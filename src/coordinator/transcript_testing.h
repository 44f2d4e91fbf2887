// Support for transcript tests of plan(): commands as text become events, plans and states become text. Any
// thread. Tests only.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "coordinator/plan.h"

namespace strom::coordinator::testing {

// "create-table d.t buckets=4 rf=1 ignore": a name, words, and options with a value.
class Command {
 public:
  static Command parse(std::string_view line);

  const std::string& name() const { return name_; }
  const std::vector<std::pair<std::string, std::string>>& options() const { return options_; }
  // The word at `index`; empty when there are fewer.
  std::string word(size_t index) const { return index < words_.size() ? words_[index] : ""; }
  const std::vector<std::string>& words() const { return words_; }
  bool has(std::string_view word) const;
  std::optional<std::string> option(std::string_view key) const;
  int64_t number(std::string_view key, int64_t otherwise) const;
  // Option "a=x,y" as {"x", "y"}.
  std::vector<std::string> list(std::string_view key) const;

 private:
  std::string name_;
  std::vector<std::string> words_;
  std::vector<std::pair<std::string, std::string>> options_;
};

// The event that a command stands for; nothing when there is no such event. Commands:
//   create-database D [comment=..] [KEY=VALUE].. [ignore]      drop-database D [cascade] [ignore]
//   alter-database D [comment=..] [set.KEY=VALUE].. [reset=KEY,..] [ignore]
//   create-table D.T [columns=NAME:TYPE,..] [key=NAME,..] [partitioned=NAME,..] [bucket-key=NAME,..]
//   [buckets=N]
//                [rf=N] [KEY=VALUE].. [ignore]               drop-table D.T [ignore]
//   alter-table D.T [set.KEY=VALUE].. [reset=KEY,..] [ignore]
//   add-column D.T NAME:TYPE.. [ignore]        TYPE: int, bigint, string, date, decimal, int-not-null
//   create-partition D.T [KEY=VALUE].. [ignore]              drop-partition D.T [KEY=VALUE].. [ignore]
//   server-joined ID [rack=R] [registered=MS]                server-left ID
//   replicas-stopped ID TABLE/bN.. (or TABLE/pN/bN..)
std::optional<Event> parse_event(const Command& command);

std::string print(const Plan& plan);
std::string print(const State& state);

}  // namespace strom::coordinator::testing
