#pragma once

#include <span>

#include "engine/evaluation/stages/metrics.hpp"
#include "input/definition/study.hpp"

namespace counterpoise {

/// The metrics of a case: those of its motions, and those of the scenarios that the study reads.
struct CaseMetrics : Metrics {
  std::vector<double> falls;  // one per Study::fall_metrics; NaN of scenarios that were not run
};

/// The place of a metric in CaseMetrics, found once and read many times.
class MetricPlace {
 public:
  /// `element` and `statistic` as in MetricName.
  MetricPlace(MetricOf of, int element, int statistic);
  explicit MetricPlace(const MetricName& name)
      : MetricPlace(name.of, name.element, name.statistic) {}

  [[nodiscard]] double of(const CaseMetrics& metrics) const {
    if (of_ == MetricOf::scenario) return metrics.falls[element_];
    return of_ == MetricOf::spring ? metrics.springs[element_].*of_spring_
                                   : metrics.actuators[element_].*of_actuator_;
  }

 private:
  MetricOf of_;
  std::size_t element_;
  double ActuatorMetrics::*of_actuator_;
  double SpringMetrics::*of_spring_;
};

/// The number a metric's name stands for.
inline double value_of(const CaseMetrics& metrics, const MetricName& name) {
  return MetricPlace(name).of(metrics);
}

/// A statistic over some actuators: the largest for max and peak_power, the average for mean and
/// rms, the sum for energy. `actuators` holds the statistic's place for each actuator and is not
/// empty.
double combined_statistic(const CaseMetrics& metrics, Statistic statistic,
                          std::span<const MetricPlace> actuators);

}  // namespace counterpoise
