// Logs on a simulated machine whose power fails at any moment.
#include <gtest/gtest.h>

#include "async/join.h"
#include "log/log_testing.h"

namespace strom::log {
namespace {

using async::Crash;
using async::Started;
using model::Offset;
using testing::batch;
using testing::fill_ids;
using testing::headers_of;
using testing::numbers;
using testing::read_ids;
using testing::SimSite;
using testing::small_segments;
using testing::try_append;

// Many lives of one log that all end in a power loss, at any moment: what was synced is there, the rest is a
// beginning of what was appended, batches keep their offsets, and none appears twice or again (INV-1, INV-5).
class Lives : public ::testing::TestWithParam<bool> {};

struct Life {
  SimSite& site;
  std::vector<int64_t>& ids;  // of the log, by offset
  int64_t& next_id;
};

// Appends, flushes, rolls and truncates until the power fails in the middle of an append or of a truncation.
void live(Life life, Log& log) {
  SimSite& site = life.site;
  for (uint64_t step = site.world.random(0, 40); step > 0; --step) {
    switch (site.world.random(0, 9)) {
      case 0:
        site.run(log.flush()).value();
        break;
      case 1:
        site.run(site.directory->checkpoint_recovery_points(site.loop())).value();
        break;
      case 2:
        site.run(log.roll()).value();
        break;
      case 3: {
        const auto cut = site.world.random(life.ids.size() / 2, life.ids.size());
        site.run(log.truncate_to(Offset(static_cast<int64_t>(cut)))).value();
        life.ids.resize(cut);
        break;
      }
      default:
        for (uint64_t i = site.world.random(1, 6); i > 0; --i) {
          life.ids.push_back(life.next_id++);
          try_append(site, log, life.ids.back()).value();
        }
    }
  }
}

TEST_P(Lives, KeepAPrefix) {
  for (uint64_t seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(seed);
    SimSite site(seed, small_segments(), GetParam());
    std::vector<int64_t> ids;
    int64_t next_id = 0;
    for (int lives = 0; lives < 6; ++lives) {
      auto log = site.log();
      const auto found = read_ids(site, *log).value();
      ASSERT_LE(found.size(), ids.size());
      ids.resize(found.size());
      ASSERT_EQ(found, ids);
      // Each batch has its writer, and no writer is known for a batch that is not there.
      ASSERT_EQ(log->writer_count(), ids.size());
      for (size_t i = 0; i < ids.size(); i += 7) {
        AppendResult again = try_append(site, *log, ids[i]).value();
        ASSERT_TRUE(again.duplicate);
        ASSERT_EQ(again.base_offset, Offset(static_cast<int64_t>(i)));
      }
      live({site, ids, next_id}, *log);

      std::vector<Started<Result<AppendResult>>> appends;
      std::optional<Started<Status>> truncation;
      const size_t whole = ids.size();
      const bool truncates = site.world.chance(0.3);
      const size_t cut = truncates ? site.world.random(0, whole) : whole;
      site.loop().post([&] {
        if (truncates) truncation.emplace(site.loop(), log->truncate_to(Offset(static_cast<int64_t>(cut))));
        for (int i = 0; !truncates && i < 20; ++i) {
          ids.push_back(next_id++);
          appends.push_back(
              async::start(site.loop(), log->append_as_leader(batch({.writer = ids.back(), .sequence = 0}))));
        }
      });
      site.world.run_for(std::chrono::microseconds(site.world.random(0, 1500)));
      const Offset safe = std::min(log->durable_offset(), Offset(static_cast<int64_t>(cut)));
      if (GetParam() && !truncates) EXPECT_EQ(log->durable_offset(), log->end_offset());
      site.machine.crash(Crash::kPowerLoss);
      Status closed = site.run(log->close());
      for (auto& one : appends) site.run(one.join()).code();
      if (truncation) site.run(truncation->join()).code();
      log.reset();
      site.stop(false);
      site.boot();
      log = site.log();
      EXPECT_GE(log->end_offset(), safe);
      site.close(std::move(log));
    }
  }
}
INSTANTIATE_TEST_SUITE_P(PowerLoss, Lives, ::testing::Bool(),
                         [](const auto& info) { return info.param ? "SyncBeforeAck" : "Default"; });

// A truncation to another start that a power loss ends leaves the old log, an empty one, or the new one;
// never a mix.
TEST(PowerLoss, InTruncateFully) {
  for (uint64_t seed = 0; seed < 50; ++seed) {
    SCOPED_TRACE(seed);
    SimSite site(seed, small_segments());
    auto log = site.log();
    fill_ids(site, *log, 0, 60);
    site.run(log->flush()).value();
    std::optional<Started<Status>> truncation;
    const Offset start(site.world.chance(0.5) ? 1000 : 30);
    site.loop().post([&] { truncation.emplace(site.loop(), log->truncate_fully_and_start_at(start)); });
    site.world.run_for(std::chrono::microseconds(site.world.random(0, 1500)));
    site.machine.crash(Crash::kPowerLoss);
    Status closed = site.run(log->close());
    site.run(truncation->join()).code();
    log.reset();
    site.stop(false);
    site.boot();
    log = site.log();
    if (log->start_offset() == start) {
      EXPECT_EQ(log->end_offset(), start);
      EXPECT_EQ(log->writer_count(), 0u);
    } else {
      EXPECT_EQ(log->start_offset(), Offset(0));
      EXPECT_EQ(read_ids(site, *log).value(), numbers(0, log->end_offset().value));
    }
    site.close(std::move(log));
  }
}

// A retention run that a power loss ends takes a prefix of the segments, or none.
TEST(PowerLoss, InRetention) {
  for (uint64_t seed = 0; seed < 50; ++seed) {
    SCOPED_TRACE(seed);
    SimSite site(seed, small_segments());
    auto log = site.log();
    fill_ids(site, *log, 0, 90);
    site.run(log->flush()).value();
    std::optional<Started<Result<size_t>>> deletion;
    site.loop().post([&] {
      deletion.emplace(site.loop(),
                       log->delete_segments_before(Offset(60), [](const SegmentInfo&) { return true; }));
    });
    site.world.run_for(std::chrono::microseconds(site.world.random(0, 800)));
    site.machine.crash(Crash::kPowerLoss);
    Status closed = site.run(log->close());
    site.run(deletion->join()).code();
    log.reset();
    site.stop(false);
    site.boot();
    log = site.log();
    EXPECT_EQ(log->end_offset(), Offset(90));
    EXPECT_EQ(read_ids(site, *log).value(), numbers(log->start_offset().value, 90));
    site.close(std::move(log));
  }
}

}  // namespace
}  // namespace strom::log
