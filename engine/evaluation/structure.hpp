#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "engine/mechanism/mechanism.hpp"

namespace counterpoise {

/// Counts of a mechanism's elements. Loop closures count as joints: with parallel axes as revolute,
/// with perpendicular axes as universal, and welds as fixed.
struct Structure {
  int bodies = 0;
  int fixed_joints = 0;
  int revolute_joints = 0;
  int prismatic_joints = 0;
  int universal_joints = 0;
  int point_closures = 0;
  int loops = 0;
  int redundant_equations = 0;  // rows of loops and couplings that over-constrain the mechanism
  int couplings = 0;
  int springs = 0;
  int actuators = 0;
  int degrees_of_freedom = 0;

  [[nodiscard]] int joints() const {
    return fixed_joints + revolute_joints + prismatic_joints + universal_joints + point_closures;
  }
};

/// Counts the elements. Checks that the zero configuration closes, that every degree of freedom has
/// one actuator, and that the sharing rules of reactions agree with equilibrium; otherwise throws
/// MechanismError naming the loop, the coordinates or the rule concerned.
Structure examine_structure(const Mechanism& mechanism);

/// Returns where each point of the mechanism is in the world in the zero configuration [m]. Throws
/// MechanismError as examine_structure does.
std::vector<Vec3d> points_in_zero_configuration(const Mechanism& mechanism);

/// A straight part of a spring's cable, between two of its stops that it touches, as points_along()
/// numbers them.
struct StraightPart {
  std::size_t from = 0, to = 0;
  double length = 0.0;  // [m]
};
/// Returns the straight parts of a spring's cable where the joints have the positions `q`, one per
/// body. None where the spring has no cable, or the cable no course.
std::vector<StraightPart> straight_parts(const Mechanism& mechanism, const Spring& spring,
                                         std::span<const double> q);

/// Returns for each spring the actuators that have loads it can change, whatever the numbers.
/// Throws MechanismError as examine_structure does.
std::vector<std::vector<ActuatorIndex>> actuators_loaded_by_springs(const Mechanism& mechanism);

}  // namespace counterpoise
