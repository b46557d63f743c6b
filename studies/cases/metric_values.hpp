#pragma once

#include <span>

#include "engine/evaluation/stages/metrics.hpp"
#include "studies/definition/study.hpp"

namespace counterpoise {

/// The place of a metric in Metrics, found once and read many times.
class MetricPlace {
 public:
  /// `element` and `statistic` as in MetricName.
  MetricPlace(bool spring, int element, int statistic);
  explicit MetricPlace(const MetricName& name)
      : MetricPlace(name.spring, name.element, name.statistic) {}

  [[nodiscard]] double of(const Metrics& metrics) const {
    return spring_ ? metrics.springs[element_].*of_spring_
                   : metrics.actuators[element_].*of_actuator_;
  }

 private:
  bool spring_;
  std::size_t element_;
  double ActuatorMetrics::*of_actuator_;
  double SpringMetrics::*of_spring_;
};

/// The number a metric's name stands for.
inline double value_of(const Metrics& metrics, const MetricName& name) {
  return MetricPlace(name).of(metrics);
}

/// A statistic over some actuators: the largest for max and peak_power, the average for mean and
/// rms, the sum for energy. `actuators` holds the statistic's place for each actuator and is not
/// empty.
double combined_statistic(const Metrics& metrics, Statistic statistic,
                          std::span<const MetricPlace> actuators);

}  // namespace counterpoise
