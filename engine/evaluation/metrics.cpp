#include "engine/evaluation/metrics.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace counterpoise {

MotionShares::MotionShares(std::span<const MotionMetrics> motions) {
  for (const MotionMetrics& motion : motions) total_ += motion.duration * motion.weight;
  if (std::isnormal(total_)) return;
  duration_ = weight_ = total_ = 0.0;
  for (const MotionMetrics& motion : motions) {
    duration_ = std::max(duration_, motion.duration);
    weight_ = std::max(weight_, motion.weight);
  }
  for (const MotionMetrics& motion : motions)
    total_ += (motion.duration / duration_) * (motion.weight / weight_);
}

bool lost_in_sum(double sum, double largest) {
  return largest > 0.0 && std::isfinite(largest) && !std::isnormal(sum);
}

double scale_of(double largest) {
  constexpr int most = 1000;  // so that neither the scale nor its inverse leaves the range
  return std::ldexp(1.0, std::clamp(-std::ilogb(largest), -most, most));
}

void combine(std::span<const MotionMetrics> motions, Metrics& out) {
  assert(!motions.empty());
  if (motions.size() == 1) {
    out = *motions.front().metrics;
    return;
  }
  out.actuators.assign(motions.front().metrics->actuators.size(), {});
  out.springs = motions.front().metrics->springs;
  out.left_out = 0;
  const MotionShares shares(motions);
  for (const MotionMetrics& motion : motions) {
    const double share = shares.of(motion);
    out.left_out += motion.metrics->left_out;
    for (std::size_t i = 0; i < out.actuators.size(); ++i) {
      const ActuatorMetrics& one = motion.metrics->actuators[i];
      ActuatorMetrics& all = out.actuators[i];
      all.max = std::max(all.max, one.max);
      all.peak_power = std::max(all.peak_power, one.peak_power);
      all.mean += share * one.mean;
      all.rms += share * one.rms * one.rms;
      all.energy += one.energy;
      all.holds -= share * (1.0 - one.holds);  // exactly 1 where all of them hold
    }
    for (std::size_t i = 0; i < out.springs.size(); ++i) {
      const SpringMetrics& one = motion.metrics->springs[i];
      SpringMetrics& all = out.springs[i];
      all.min_length = std::min(all.min_length, one.min_length);
      all.max_length = std::max(all.max_length, one.max_length);
      all.max_tension = std::max(all.max_tension, one.max_tension);
      all.min_tension = std::min(all.min_tension, one.min_tension);
      all.clearance = std::min(all.clearance, one.clearance);
    }
  }
  for (std::size_t i = 0; i < out.actuators.size(); ++i) {
    double& square = out.actuators[i].rms;
    double largest = 0.0, scale = 1.0;
    for (const MotionMetrics& motion : motions)
      largest = std::max(largest, motion.metrics->actuators[i].rms);
    if (lost_in_sum(square, largest)) {
      scale = scale_of(largest);
      square = 0.0;
      for (const MotionMetrics& motion : motions) {
        const double scaled = motion.metrics->actuators[i].rms * scale;
        square += shares.of(motion) * scaled * scaled;
      }
    }
    square = std::sqrt(square) / scale;
  }
}

}  // namespace counterpoise
