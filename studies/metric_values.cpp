#include "studies/metric_values.hpp"

#include <algorithm>

namespace counterpoise {
namespace {

double statistic_of(const ActuatorMetrics& metrics, int statistic) {
  switch (static_cast<Statistic>(statistic)) {
    case Statistic::max:
      return metrics.max;
    case Statistic::mean:
      return metrics.mean;
    case Statistic::rms:
      return metrics.rms;
    case Statistic::energy:
      return metrics.energy;
    case Statistic::peak_power:
      return metrics.peak_power;
  }
  return 0.0;
}

}  // namespace

double value_of(const Metrics& metrics, const MetricName& name) {
  const auto i = static_cast<std::size_t>(name.element);
  if (!name.spring) return statistic_of(metrics.actuators[i], name.statistic);
  const SpringMetrics& spring = metrics.springs[i];
  if (name.statistic == 0) return spring.min_length;
  return name.statistic == 1 ? spring.max_length : spring.max_tension;
}

double combined_statistic(const Metrics& metrics, Statistic statistic,
                          std::span<const int> actuators) {
  double largest = 0.0, sum = 0.0;
  for (int a : actuators) {
    const double value =
        statistic_of(metrics.actuators[static_cast<std::size_t>(a)], static_cast<int>(statistic));
    largest = std::max(largest, value);
    sum += value;
  }
  switch (statistic) {
    case Statistic::max:
    case Statistic::peak_power:
      return largest;
    case Statistic::mean:
    case Statistic::rms:
      return sum / static_cast<double>(actuators.size());
    case Statistic::energy:
      return sum;
  }
  return 0.0;
}

}  // namespace counterpoise
