#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "engine/evaluation/evaluator.hpp"
#include "engine/evaluation/metrics.hpp"
#include "engine/mechanism/elements.hpp"
#include "engine/mechanism/finding.hpp"
#include "input/definition/study.hpp"

namespace counterpoise {

/// The interval in which a parameter may lie, in SI.
struct ToleranceInterval {
  double nominal = 0.0;
  double low = 0.0;
  double high = 0.0;

  /// The value at a share of the interval: low at 0, high at 1.
  [[nodiscard]] double at(double share) const { return low + share * (high - low); }
};

/// The numbers that deviate under tolerances. A parameter that enters nothing but numbers of
/// springs, each of which is the parameter itself (however that is written: "k" or "(2*k)/2"),
/// belongs to the springs: each of them is a part of its own and deviates on its own, even if
/// several share the parameter. All other parameters are sampled, and the numbers that depend on
/// them follow.
class ToleranceBox {
 public:
  /// `study` and `tolerances` must outlive it.
  ToleranceBox(const Study& study, const Tolerances& tolerances);

  /// One parameter of one spring, and the numbers of the spring that follow it.
  struct SpringPart {
    struct Follower {
      double Spring::*number;
      double scale;  // number = scale * parameter
    };
    std::size_t tolerance;  // index into Tolerances::of
    std::size_t spring;     // index in the mechanism
    std::vector<Follower> followers;
  };
  [[nodiscard]] std::span<const SpringPart> spring_parts() const { return parts_; }
  /// The tolerances whose parameters are sampled, as indices into Tolerances::of.
  [[nodiscard]] std::span<const std::size_t> sampled() const { return sampled_; }
  /// The number of dimensions of a random design: first the sampled parameters, then the spring
  /// parts.
  [[nodiscard]] std::size_t dimensions() const { return sampled_.size() + parts_.size(); }

  /// The interval of each tolerance around a design: `parameters` are the values of all of the
  /// model's parameters. Cut off at a parameter's min and max where these are numbers, and at 0
  /// where it is a spring's rate or free length.
  [[nodiscard]] std::vector<ToleranceInterval> intervals(std::span<const double> point,
                                                         std::span<const double> parameters) const;

  /// The settings of the sampled parameters; `shares` (see ToleranceInterval::at) has one number
  /// for each.
  void settings(std::span<const ToleranceInterval> intervals, std::span<const double> shares,
                std::vector<ParameterSetting>& out) const;
  /// Moves one part of a spring of the design to this share of its interval.
  static void deviate(const SpringPart& part, const ToleranceInterval& interval, double share,
                      Spring& spring);

 private:
  const Study* study_;
  const Tolerances* tolerances_;
  std::vector<SpringPart> parts_;  // by ascending spring
  std::vector<std::size_t> sampled_;
  std::vector<bool> not_negative_;  // per tolerance
};

/// A spring at every corner of its own tolerances. There are 2^(number of its parts) corners; only
/// the spring itself if it has no parts.
struct SpringCorners {
  std::vector<Spring> springs;
  std::vector<SpringLaw> laws;  // of these
};

/// The corners of each spring of a mechanism.
std::vector<SpringCorners> corners_of(const Mechanism& mechanism, const ToleranceBox& box,
                                      std::span<const ToleranceInterval> intervals);

/// The first limit that a spring breaks at some corner, or a direction that it lacks there, or the
/// first limit of an actuator's load at some point of the box of all springs. All hold for the
/// whole box: lengths do not depend on it, and |tension|, |load| and the limits are largest or
/// least at corners.
std::optional<Finding> first_broken_limit(const Mechanism& mechanism, const AffineLoads& loads,
                                          std::span<const SpringCorners> corners);

/// The least and the greatest load of an actuator over the box, sample by sample: each spring's
/// contribution is at its own least or greatest value. This is exact, because springs deviate
/// independently and a tension is affine in each of its numbers.
struct LoadRange {
  std::vector<double> least, greatest;
};
void load_range(const AffineLoads& loads, std::size_t actuator,
                std::span<const SpringCorners> corners, LoadRange& out);

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
/// Adds the same, but for rounding, for each of several sets of laws; computes as many at once as a
/// Pack has lanes.
void add_metrics(const AffineLoads& loads, std::size_t actuator,
                 std::span<const std::vector<SpringLaw>> laws, std::vector<ActuatorMetrics>& out);

}  // namespace counterpoise
