#include "base/metrics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <mutex>
#include <sstream>
#include <variant>
#include <vector>

#include <prometheus/metric_family.h>
#include <prometheus/text_serializer.h>

#include "base/check.h"

namespace strom {
namespace internal {

constexpr auto kRelaxed = std::memory_order_relaxed;

struct NumberCell {
  std::atomic<double> value{0};
};

struct RateCell {
  static constexpr size_t kSamples = 60 / MetricRegistry::kSampleIntervalSeconds;
  std::atomic<int64_t> total{0};
  // Under the store's lock: totals at the last kSamples + 1 samples, a ring whose oldest entry is at `next`.
  std::array<int64_t, kSamples + 1> history{};
  size_t next = 0;

  void sample() {
    history[next] = total.load(kRelaxed);
    next = (next + 1) % history.size();
  }
  double per_second() const {
    const int64_t newest = history[(next + kSamples) % history.size()];
    return static_cast<double>(newest - history[next]) / (kSamples * MetricRegistry::kSampleIntervalSeconds);
  }
};

// Counts of values by size: four buckets for each power of two from 2^-10 to 2^40. The first bucket takes 0
// as well.
struct DistributionCell {
  static constexpr int kLowest = -10, kHighest = 40, kPerOctave = 4;
  static constexpr size_t kBuckets = (kHighest - kLowest) * kPerOctave;
  static constexpr int kSamplesPerWindow = 60 / MetricRegistry::kSampleIntervalSeconds;
  using Counts = std::array<uint64_t, kBuckets>;

  std::array<std::atomic<uint64_t>, kBuckets> counts{};
  std::atomic<double> sum{0};
  // Under the store's lock: what was counted before the window that is shown began, and before the one that
  // is filling.
  Counts shown_from{}, filling_from{};
  int samples = 0;

  static size_t bucket_of(double value) {
    const double position = (std::log2(std::max(value, 1e-9)) - kLowest) * kPerOctave;
    return static_cast<size_t>(std::clamp(position, 0.0, static_cast<double>(kBuckets - 1)));
  }
  // The middle of the bucket, as ratios go.
  static double value_of(size_t bucket) {
    return std::exp2((static_cast<double>(bucket) + 0.5) / kPerOctave + kLowest);
  }
  Counts now() const {
    Counts result;
    std::ranges::transform(counts, result.begin(), [](const auto& count) { return count.load(kRelaxed); });
    return result;
  }
  void sample() {
    if (++samples % kSamplesPerWindow != 0) return;
    shown_from = filling_from;
    filling_from = now();
  }
};

using Cell =
    std::variant<std::weak_ptr<NumberCell>, std::weak_ptr<RateCell>, std::weak_ptr<DistributionCell>>;

struct MetricEntry {
  MetricLabels labels;
  Cell cell;
};

struct MetricFamilyEntry {
  prometheus::MetricType type;
  std::string help;
  std::vector<MetricEntry> entries;
};

struct MetricStore {
  std::mutex mutex;
  std::map<std::string, MetricFamilyEntry> families;

  template <class CellType>
  std::shared_ptr<CellType> cell(const std::string& name, const MetricLabels& labels,
                                 prometheus::MetricType type, const std::string& help) {
    std::lock_guard lock(mutex);
    auto [found, added] = families.try_emplace(name, MetricFamilyEntry{type, help, {}});
    auto& entries = found->second.entries;
    STROM_CHECK(found->second.type == type, "metric {} has two types", name);
    auto same = std::ranges::find(entries, labels, &MetricEntry::labels);
    if (same == entries.end()) same = entries.insert(same, {labels, std::weak_ptr<CellType>()});
    auto& weak = std::get<std::weak_ptr<CellType>>(same->cell);
    auto cell = weak.lock();
    if (!cell) weak = cell = std::make_shared<CellType>();
    return cell;
  }

  // Forgets the metrics that nobody holds. Under the lock.
  void sweep() {
    const auto dead = [](const MetricEntry& entry) {
      return std::visit([](const auto& cell) { return cell.expired(); }, entry.cell);
    };
    for (auto& [name, family] : families) std::erase_if(family.entries, dead);
    std::erase_if(families, [](const auto& family) { return family.second.entries.empty(); });
  }
};

namespace {

using prometheus::ClientMetric;

// Each returns false if the metric is gone.
bool collect(const std::weak_ptr<NumberCell>& weak, prometheus::MetricType type, ClientMetric& to) {
  const auto cell = weak.lock();
  if (!cell) return false;
  (type == prometheus::MetricType::Counter ? to.counter.value : to.gauge.value) = cell->value.load(kRelaxed);
  return true;
}

bool collect(const std::weak_ptr<RateCell>& weak, prometheus::MetricType, ClientMetric& to) {
  const auto cell = weak.lock();
  if (!cell) return false;
  to.gauge.value = cell->per_second();
  return true;
}

bool collect(const std::weak_ptr<DistributionCell>& weak, prometheus::MetricType, ClientMetric& to) {
  const auto cell = weak.lock();
  if (!cell) return false;
  const auto now = cell->now();
  uint64_t in_window = 0;
  for (size_t i = 0; i < now.size(); ++i) {
    to.summary.sample_count += now[i];
    in_window += now[i] - cell->shown_from[i];
  }
  to.summary.sample_sum = cell->sum.load(kRelaxed);
  for (const double quantile : {0.5, 0.75, 0.95, 0.98, 0.99, 0.999}) {
    const auto rank = static_cast<uint64_t>(std::ceil(quantile * static_cast<double>(in_window)));
    uint64_t below = 0;
    double value = 0;
    for (size_t i = 0; i < now.size() && below < rank; ++i) {
      below += now[i] - cell->shown_from[i];
      value = DistributionCell::value_of(i);
    }
    to.summary.quantile.push_back({quantile, value});
  }
  return true;
}

}  // namespace
}  // namespace internal

using internal::DistributionCell;
using internal::kRelaxed;
using internal::NumberCell;
using internal::RateCell;
using prometheus::MetricType;

Counter::Counter() : cell_(std::make_shared<NumberCell>()) {}
Gauge::Gauge() : cell_(std::make_shared<NumberCell>()) {}
Rate::Rate() : cell_(std::make_shared<RateCell>()) {}
Distribution::Distribution() : cell_(std::make_shared<DistributionCell>()) {}

void Counter::add(double by) const { cell_->value.fetch_add(by, kRelaxed); }
void Gauge::set(double value) const { cell_->value.store(value, kRelaxed); }
void Gauge::add(double by) const { cell_->value.fetch_add(by, kRelaxed); }
void Rate::add(int64_t events) const { cell_->total.fetch_add(events, kRelaxed); }
void Distribution::observe(double value) const {
  cell_->counts[DistributionCell::bucket_of(value)].fetch_add(1, kRelaxed);
  cell_->sum.fetch_add(value, kRelaxed);
}

MetricScope MetricScope::child(const std::string& name, const MetricLabels& labels) const {
  MetricLabels all = labels_;
  for (const auto& [label, value] : labels) all.insert_or_assign(label, value);
  return MetricScope(store_, prefix_ + "_" + name, std::move(all));
}

Counter MetricScope::counter(const std::string& name, const std::string& help) const {
  return Counter(store_->cell<NumberCell>(prefix_ + "_" + name, labels_, MetricType::Counter, help));
}
Gauge MetricScope::gauge(const std::string& name, const std::string& help) const {
  return Gauge(store_->cell<NumberCell>(prefix_ + "_" + name, labels_, MetricType::Gauge, help));
}
Rate MetricScope::rate(const std::string& name, const std::string& help) const {
  return Rate(store_->cell<RateCell>(prefix_ + "_" + name, labels_, MetricType::Gauge, help));
}
Distribution MetricScope::distribution(const std::string& name, const std::string& help) const {
  return Distribution(
      store_->cell<DistributionCell>(prefix_ + "_" + name, labels_, MetricType::Summary, help));
}

MetricRegistry::MetricRegistry() : store_(std::make_shared<internal::MetricStore>()) {}

MetricScope MetricRegistry::scope(const std::string& prefix, const MetricLabels& labels) const {
  return MetricScope(store_, prefix, labels);
}

void MetricRegistry::sample() {
  std::lock_guard lock(store_->mutex);
  store_->sweep();
  for (auto& [name, family] : store_->families) {
    for (auto& entry : family.entries) {
      if (auto* weak = std::get_if<std::weak_ptr<RateCell>>(&entry.cell)) {
        if (auto cell = weak->lock()) cell->sample();
      } else if (auto* weak = std::get_if<std::weak_ptr<DistributionCell>>(&entry.cell)) {
        if (auto cell = weak->lock()) cell->sample();
      }
    }
  }
}

std::string MetricRegistry::render() const {
  std::vector<prometheus::MetricFamily> collected;
  std::lock_guard lock(store_->mutex);
  for (const auto& [name, family] : store_->families) {
    prometheus::MetricFamily out{name, family.help, family.type, {}};
    for (const auto& entry : family.entries) {
      prometheus::ClientMetric metric;
      for (const auto& [label, value] : entry.labels) metric.label.push_back({label, value});
      const bool alive = std::visit(
          [&](const auto& cell) { return internal::collect(cell, family.type, metric); }, entry.cell);
      if (alive) out.metric.push_back(std::move(metric));
    }
    if (!out.metric.empty()) collected.push_back(std::move(out));
  }
  std::ostringstream text;
  prometheus::TextSerializer().Serialize(text, collected);
  return text.str();
}

}  // namespace strom
