#include "coordinator/auto_partition.h"

#include <gtest/gtest.h>

namespace strom::coordinator {
namespace {

// 2024-03-01T10:00:00Z
constexpr Timestamp kNow(1709287200000);

TableState day_table(std::vector<std::string> keys, model::Properties more,
                     std::vector<std::string> partitions) {
  model::SchemaBuilder schema;
  schema.column("v", model::DataType::integer());
  for (const std::string& key : keys) schema.column(key, model::DataType::string());
  TableState table{{"d", "t"}, {}, model::SchemaId(1), schema.build().value(), {}, {}};
  table.registration.table_id = TableId(1);
  table.registration.partition_keys = keys;
  table.registration.properties = {{"table.replication.factor", "1"},
                                   {"table.auto-partition.enabled", "true"},
                                   {"table.auto-partition.time-unit", "DAY"},
                                   {"table.auto-partition.time-zone", "UTC"}};
  for (const auto& [key, value] : more) table.registration.properties.set(key, value);
  for (const std::string& name : partitions) table.partitions[name].name = name;
  return table;
}

std::vector<std::string> described(const std::vector<Event>& events) {
  std::vector<std::string> texts;
  for (const Event& event : events) {
    if (auto* create = std::get_if<CreatePartition>(&event))
      texts.push_back("create " + create->spec.to_string());
    if (auto* drop = std::get_if<DropPartition>(&event)) texts.push_back("drop " + drop->spec.to_string());
  }
  return texts;
}

using Texts = std::vector<std::string>;

// Today and the days after it are made ahead, those that exist are left alone.
TEST(AutoPartition, MakesPartitionsAhead) {
  auto table = day_table({"dt"}, {{"table.auto-partition.num-precreate", "3"}}, {"20240302"});
  EXPECT_EQ(described(auto_partition_events(table, kNow)),
            (Texts{"create {dt=20240301}", "create {dt=20240303}"}));
}

// Days before the oldest that retention keeps are dropped, at the first look after midnight of the table's
// zone (D-107).
TEST(AutoPartition, DropsWhatIsPastRetention) {
  model::Properties options{{"table.auto-partition.num-precreate", "0"},
                            {"table.auto-partition.num-retention", "2"}};
  auto table =
      day_table({"dt"}, options, {"20240226", "20240227", "20240228", "20240229", "20240301", "20240401"});
  EXPECT_EQ(described(auto_partition_events(table, kNow)),
            (Texts{"drop {dt=20240226}", "drop {dt=20240227}"}));
  const Timestamp midnight(1709337600000);  // 2024-03-02T00:00:00Z
  EXPECT_EQ(described(auto_partition_events(table, midnight)),
            (Texts{"drop {dt=20240226}", "drop {dt=20240227}", "drop {dt=20240228}"}));
  EXPECT_EQ(auto_partition_events(table, midnight - 1).size(), 2u);
}

// A negative retention keeps all; a table that is not auto-partitioned is never touched.
TEST(AutoPartition, LeavesAloneWhatItShould) {
  model::Properties keep{{"table.auto-partition.num-precreate", "0"},
                         {"table.auto-partition.num-retention", "-1"}};
  EXPECT_TRUE(auto_partition_events(day_table({"dt"}, keep, {"20000101"}), kNow).empty());
  model::Properties off{{"table.auto-partition.enabled", "false"}};
  EXPECT_TRUE(auto_partition_events(day_table({"dt"}, off, {"20000101"}), kNow).empty());
}

// With several keys only the time decides what goes, whatever the other values; nothing is made ahead.
TEST(AutoPartition, SeveralKeysAreDroppedByTime) {
  model::Properties options{{"table.auto-partition.key", "dt"},
                            {"table.auto-partition.num-precreate", "2"},
                            {"table.auto-partition.num-retention", "1"}};
  auto table = day_table({"region", "dt"}, options, {"us$20240228", "eu$20240228", "us$20240229"});
  EXPECT_EQ(described(auto_partition_events(table, kNow)),
            (Texts{"drop {region=eu, dt=20240228}", "drop {region=us, dt=20240228}"}));
}

}  // namespace
}  // namespace strom::coordinator
