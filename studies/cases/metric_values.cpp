#include "studies/cases/metric_values.hpp"

#include <algorithm>
#include <array>

namespace counterpoise {
namespace {

// in the order of Statistic and of SpringStatistic
constexpr std::array actuator_statistics = {&ActuatorMetrics::max, &ActuatorMetrics::mean,
                                            &ActuatorMetrics::rms, &ActuatorMetrics::energy,
                                            &ActuatorMetrics::peak_power};
constexpr std::array spring_statistics = {&SpringMetrics::min_length, &SpringMetrics::max_length,
                                          &SpringMetrics::max_tension, &SpringMetrics::min_tension};

}  // namespace

MetricPlace::MetricPlace(MetricOf of, int element, int statistic)
    : of_(of),
      element_(static_cast<std::size_t>(element)),
      of_actuator_(of == MetricOf::actuator
                       ? actuator_statistics[static_cast<std::size_t>(statistic)]
                       : nullptr),
      of_spring_(of == MetricOf::spring ? spring_statistics[static_cast<std::size_t>(statistic)]
                                        : nullptr) {}

double combined_statistic(const CaseMetrics& metrics, Statistic statistic,
                          std::span<const MetricPlace> actuators) {
  double largest = 0.0, sum = 0.0;
  for (const MetricPlace& place : actuators) {
    const double value = place.of(metrics);
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
