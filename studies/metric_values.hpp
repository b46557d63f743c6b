#pragma once

#include <span>

#include "engine/evaluation/metrics.hpp"
#include "studies/io/study.hpp"

namespace counterpoise {

/// The number a metric's name stands for.
double value_of(const Metrics& metrics, const MetricName& name);

/// A statistic over some actuators: the largest for max and peak_power, the average for mean and
/// rms, the sum for energy. `actuators` is not empty.
double combined_statistic(const Metrics& metrics, Statistic statistic,
                          std::span<const int> actuators);

}  // namespace counterpoise
