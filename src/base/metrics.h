// Metrics: counters, gauges, rates and distributions that the HTTP port shows in Prometheus's text format.
// A module keeps a struct of handles (one struct per module) and makes them from a scope once; using a handle
// is a relaxed atomic operation, without a look-up. A metric lives as long as a handle to it: a dropped
// table's metrics are gone with its struct. Making the same metric twice gives two handles of one value. Any
// thread.
//   struct LogMetrics {
//     explicit LogMetrics(const MetricScope& s) : bytes_in(s.rate("bytesInPerSecond", "bytes appended")) {}
//     Rate bytes_in;
//   };
//   LogMetrics metrics(registry.scope("fluss_tabletserver", {{"server_id", "0"}}));
// Upstream counterpart: metrics/groups, fluss-metrics-prometheus. How names are made: base/README.md.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <string>

namespace strom {

namespace internal {
struct NumberCell;
struct RateCell;
struct DistributionCell;
struct MetricStore;
}  // namespace internal

using MetricLabels = std::map<std::string, std::string>;

// A handle's cell is shared with the registry, which forgets it when the last handle is gone.
// A default-made handle belongs to no registry and counts for nobody.

// Only grows.
class Counter {
 public:
  Counter();
  explicit Counter(std::shared_ptr<internal::NumberCell> cell) : cell_(std::move(cell)) {}
  void add(double by = 1) const;

 private:
  std::shared_ptr<internal::NumberCell> cell_;
};

// Goes up and down.
class Gauge {
 public:
  Gauge();
  explicit Gauge(std::shared_ptr<internal::NumberCell> cell) : cell_(std::move(cell)) {}
  void set(double value) const;
  void add(double by) const;

 private:
  std::shared_ptr<internal::NumberCell> cell_;
};

// Counts events; shown as events per second over the last minute, as Fluss's meters are.
class Rate {
 public:
  Rate();
  explicit Rate(std::shared_ptr<internal::RateCell> cell) : cell_(std::move(cell)) {}
  void add(int64_t events = 1) const;

 private:
  std::shared_ptr<internal::RateCell> cell_;
};

// Values of at least 0; shown as a summary with quantiles of the last one to two minutes (12 % exact), count
// and sum.
class Distribution {
 public:
  Distribution();
  explicit Distribution(std::shared_ptr<internal::DistributionCell> cell) : cell_(std::move(cell)) {}
  void observe(double value) const;

 private:
  std::shared_ptr<internal::DistributionCell> cell_;
};

// A prefix of names and the labels that go with it.
class MetricScope {
 public:
  // The scope `prefix_name`, with these labels too.
  MetricScope child(const std::string& name, const MetricLabels& labels = {}) const;

  // The metric `prefix_name`. One name has one type and one help text.
  Counter counter(const std::string& name, const std::string& help) const;
  Gauge gauge(const std::string& name, const std::string& help) const;
  Rate rate(const std::string& name, const std::string& help) const;
  Distribution distribution(const std::string& name, const std::string& help) const;

 private:
  friend class MetricRegistry;
  MetricScope(std::shared_ptr<internal::MetricStore> store, std::string prefix, MetricLabels labels)
      : store_(std::move(store)), prefix_(std::move(prefix)), labels_(std::move(labels)) {}

  std::shared_ptr<internal::MetricStore> store_;
  std::string prefix_;
  MetricLabels labels_;
};

class MetricRegistry {
 public:
  MetricRegistry();

  MetricScope scope(const std::string& prefix, const MetricLabels& labels = {}) const;

  // To be called every kSampleIntervalSeconds: rates and quantiles are of what was counted between these
  // calls.
  static constexpr int kSampleIntervalSeconds = 5;
  void sample();

  // All metrics in Prometheus's text format, families in the order of their names.
  std::string render() const;

 private:
  std::shared_ptr<internal::MetricStore> store_;
};

}  // namespace strom
