#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "engine/evaluation/stages/metrics.hpp"
#include "studies/reports/robustness/spring_corners.hpp"

namespace counterpoise {

/// The split loads of a design in one motion, with its springs at the corners of their tolerances.
struct BoxMotion {
  AffineLoads loads;
  std::vector<SpringCorners> corners;  // per spring; the same number of them in every motion
};

/// Metrics of a design over the box of its springs' tolerances, with mounts and masses fixed.
///
/// mean, rms, energy and peaks are convex in each number of each spring with the others held, so
/// each is largest at a corner of the box. Where all springs together have at most `most_corners`
/// corners, metrics are given at every one; corners with the same laws count once. If there are
/// more corners, metrics are given once, and each is its own maximum, except for the least tension
/// of a spring, which is its own minimum. The maximum of an actuator's metric is over
/// the corners of the springs that load it. If these are also too many, it is computed from the
/// largest load of each sample: then max and peak_power are still exact, and mean, rms and energy
/// are upper bounds.
class BoxMetrics {
 public:
  /// `base` has the metrics of the design inside the box, for those that no deviating spring
  /// changes. `parts` says how motions are combined, one for each of `motions`.
  BoxMetrics(std::span<const BoxMotion> motions, std::span<const MotionMetrics> parts,
             const Metrics& base, std::size_t most_corners);

  /// Whether at() gives every corner.
  [[nodiscard]] bool every_corner() const { return every_corner_; }
  /// Whether this actuator's largest metrics are attained.
  [[nodiscard]] bool attained(std::size_t actuator) const { return !tables_[actuator].bounded; }
  [[nodiscard]] std::size_t count() const { return count_; }
  /// The metrics with index `corner` < count(). The reference is valid until the next call.
  const Metrics& at(std::size_t corner);

 private:
  /// The place in `all_` of the metrics of an actuator, by corners of the springs that load it.
  struct Table {
    std::vector<std::size_t> springs;  // deviating ones
    std::size_t first = 0, count = 0;
    bool bounded = false;  // one entry, upper bounds
  };

  void find_distinct(std::span<const BoxMotion> motions);
  void find_tables(std::span<const BoxMotion> motions, std::size_t most_corners);
  void fill(const BoxMotion& motion, Metrics& out) const;
  [[nodiscard]] std::size_t entry(const Table& table) const;
  void take_worst();

  std::vector<std::vector<std::size_t>> distinct_;  // per spring: corners of different laws
  std::vector<Table> tables_;                       // per actuator
  std::vector<std::size_t> spring_first_;           // place of a spring's metrics in all_
  std::vector<std::size_t> choice_;                 // per spring: index into distinct_
  bool every_corner_ = true;
  std::size_t count_ = 1;
  Metrics all_;  // one entry a corner, of all motions together
  Metrics current_;
};

/// Metrics of one actuator's load with these laws of the springs; integrals as in ActuatorMetrics.
ActuatorMetrics metrics_of(const AffineLoads& loads, std::size_t actuator,
                           std::span<const SpringLaw> laws);

}  // namespace counterpoise
