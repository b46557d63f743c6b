#include "engine/evaluation/metrics.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace counterpoise {

void combine(std::span<const MotionMetrics> motions, Metrics& out) {
  assert(!motions.empty());
  if (motions.size() == 1) {
    out = *motions.front().metrics;
    return;
  }
  out.actuators.assign(motions.front().metrics->actuators.size(), {});
  out.springs = motions.front().metrics->springs;
  double total = 0.0;
  for (const MotionMetrics& motion : motions) total += motion.duration * motion.weight;

  for (const MotionMetrics& motion : motions) {
    const double share = motion.duration * motion.weight / total;
    for (std::size_t i = 0; i < out.actuators.size(); ++i) {
      const ActuatorMetrics& one = motion.metrics->actuators[i];
      ActuatorMetrics& all = out.actuators[i];
      all.max = std::max(all.max, one.max);
      all.peak_power = std::max(all.peak_power, one.peak_power);
      all.mean += share * one.mean;
      all.rms += share * one.rms * one.rms;
      all.energy += one.energy;
    }
    for (std::size_t i = 0; i < out.springs.size(); ++i) {
      const SpringMetrics& one = motion.metrics->springs[i];
      SpringMetrics& all = out.springs[i];
      all.min_length = std::min(all.min_length, one.min_length);
      all.max_length = std::max(all.max_length, one.max_length);
      all.max_tension = std::max(all.max_tension, one.max_tension);
    }
  }
  for (ActuatorMetrics& all : out.actuators) all.rms = std::sqrt(all.rms);
}

}  // namespace counterpoise
