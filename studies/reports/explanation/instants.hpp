#pragma once

#include <optional>
#include <span>
#include <vector>

#include "engine/evaluation/affine_loads.hpp"
#include "studies/reports/explanation/compared_motion.hpp"

namespace counterpoise {

/// A load at one instant by what causes it: load = gravity + inertia + sum of springs' shares
/// [N or N m].
struct LoadSplit {
  struct Share {
    int spring = -1;  // index in the mechanism
    double load = 0.0;
  };
  double load = 0.0;
  double gravity = 0.0;        // load of the robot without springs, held in this pose
  double inertia = 0.0;        // what moving the robot without springs adds to that
  std::vector<Share> springs;  // those that load the actuator in some pose
};

/// The loads of a design over one motion, ready to be split at any sample.
class SplitLoads {
 public:
  /// Splits the loads of a design that can follow the motion. Cost: two evaluations.
  SplitLoads(const Mechanism& mechanism, const Motion& motion);

  [[nodiscard]] LoadSplit at(std::size_t actuator, std::size_t sample) const;
  /// The load at every sample.
  [[nodiscard]] std::vector<double> load(std::size_t actuator) const;

 private:
  std::vector<Spring> springs_;
  AffineLoads loads_, at_rest_;
};

/// The samples at which a series has a local maximum, the first of equal ones. Two maxima count as
/// one unless the series falls by more than `dip` between them.
std::vector<std::size_t> separate_peaks(std::span<const double> values, double dip);

struct CriticalInstant {
  std::size_t motion = 0;  // index of Study::motions
  std::size_t sample = 0;
  double time = 0.0;  // [s]
  LoadSplit split;
  std::optional<double> baseline;  // its load at this instant
};

/// The instants at which an actuator's |load| is largest over all motions of a case, and further
/// local maxima near that value, largest first.
struct ActuatorInstants {
  static constexpr std::size_t most = 4;
  static constexpr double near = 0.01;  // near means within this fraction of the largest
  static constexpr double dip = 1e-6;   // of the largest, see separate_peaks

  int actuator = -1;                      // index in the mechanism
  std::vector<CriticalInstant> instants;  // at most `most`
  std::size_t left_out = 0;               // number of further near maxima
};

/// The critical instants of these actuators, in their order.
std::vector<ActuatorInstants> critical_instants(const std::vector<ComparedMotion>& motions,
                                                std::span<const int> actuators);

}  // namespace counterpoise
