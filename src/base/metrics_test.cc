#include "base/metrics.h"

#include <optional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace strom {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// Names and labels are put together from the scopes as Fluss's reporter does, and the text is Prometheus's.
TEST(Metrics, RenderNamesLabelsAndValues) {
  MetricRegistry registry;
  const auto server = registry.scope("fluss_tabletserver", {{"server_id", "0"}});
  const auto table = server.child("table", {{"database", "d"}, {"table", "t"}});
  const Counter counter = table.counter("bytesIn", "bytes of writes");
  const Gauge gauge = server.gauge("replicaCount", "replicas");
  counter.add(3);
  counter.add();
  gauge.set(5);
  gauge.add(-2);
  EXPECT_EQ(registry.render(),
            "# HELP fluss_tabletserver_replicaCount replicas\n"
            "# TYPE fluss_tabletserver_replicaCount gauge\n"
            "fluss_tabletserver_replicaCount{server_id=\"0\"} 3\n"
            "# HELP fluss_tabletserver_table_bytesIn bytes of writes\n"
            "# TYPE fluss_tabletserver_table_bytesIn counter\n"
            "fluss_tabletserver_table_bytesIn{database=\"d\",server_id=\"0\",table=\"t\"} 4\n");
}

// Two handles of one metric share its value; the metric is gone with the last of them, and begins anew after
// that.
TEST(Metrics, LiveAsLongAsTheirHandles) {
  MetricRegistry registry;
  const auto scope = registry.scope("s");
  std::optional<Counter> first = scope.counter("c", "h");
  std::optional<Counter> second = scope.counter("c", "h");
  first->add();
  second->add();
  first.reset();
  EXPECT_THAT(registry.render(), HasSubstr("s_c 2\n"));
  second.reset();
  EXPECT_EQ(registry.render(), "");
  const Counter third = scope.counter("c", "h");
  EXPECT_THAT(registry.render(), HasSubstr("s_c 0\n"));
}

// A rate is the events of the last twelve samples divided by a minute; older events no longer count.
TEST(Metrics, RatesCoverTheLastMinute) {
  MetricRegistry registry;
  const Rate rate = registry.scope("s").rate("perSecond", "h");
  registry.sample();
  rate.add(120);
  EXPECT_THAT(registry.render(), HasSubstr("s_perSecond 0\n"));
  for (int i = 0; i < 12; ++i) {
    registry.sample();
    EXPECT_THAT(registry.render(), HasSubstr("s_perSecond 2\n"));
  }
  registry.sample();
  EXPECT_THAT(registry.render(), HasSubstr("s_perSecond 0\n"));
}

double quantile(const std::string& page, const std::string& which) {
  const std::string mark = "s_ms{quantile=\"" + which + "\"} ";
  return std::stod(page.substr(page.find(mark) + mark.size()));
}

// Quantiles are within a bucket's width of the true value, for small and large values, and count and sum are
// exact.
TEST(Metrics, DistributionsShowQuantiles) {
  MetricRegistry registry;
  const Distribution distribution = registry.scope("s").distribution("ms", "h");
  for (int i = 1; i <= 1000; ++i) distribution.observe(i);
  const std::string page = registry.render();
  EXPECT_NEAR(quantile(page, "0.5"), 500, 500 * 0.12);
  EXPECT_NEAR(quantile(page, "0.99"), 990, 990 * 0.12);
  EXPECT_THAT(page, HasSubstr("# TYPE s_ms summary\n"));
  EXPECT_THAT(page, HasSubstr("s_ms_count 1000\n"));
  EXPECT_THAT(page, HasSubstr("s_ms_sum 500500\n"));
}

// Values older than two minutes no longer show in the quantiles; 0 and huge values are counted, too.
TEST(Metrics, DistributionsForget) {
  MetricRegistry registry;
  const Distribution distribution = registry.scope("s").distribution("ms", "h");
  distribution.observe(1e30);
  for (int i = 0; i < 24; ++i) registry.sample();
  distribution.observe(0);
  const std::string page = registry.render();
  EXPECT_LT(quantile(page, "0.999"), 0.01);
  EXPECT_THAT(page, HasSubstr("s_ms_count 2\n"));
}

// Labels are escaped: a table's name can't break the page.
TEST(Metrics, LabelsAreEscaped) {
  MetricRegistry registry;
  const Gauge gauge = registry.scope("s", {{"table", "a\"b\n"}}).gauge("g", "h");
  EXPECT_THAT(registry.render(), HasSubstr("table=\"a\\\"b\\n\""));
  EXPECT_THAT(registry.render(), Not(HasSubstr("a\"b")));
}

}  // namespace
}  // namespace strom
