#pragma once

#include <string>
#include <vector>

#include "exchange/tree_design.hpp"
#include "input/definition/model.hpp"

namespace counterpoise {

/// One design of a model in another format.
struct WrittenRobot {
  std::string text;
  std::vector<std::string> remarks;  // what the format does not hold, and what was done instead
};

/// Writes a design as MJCF, for MuJoCo 2.2 or later. Joint positions mean the same as in the model;
/// bodies stand as in the zero configuration, in which loops are closed. Springs between points are
/// spatial tendons, torsion springs are springs of joints. What is left of a tension when the
/// length goes to 0 cannot be the rest length of a tendon where that would be negative: an actuator
/// `<spring>_constant` of constant force adds it. Loops and couplings become equality constraints,
/// which are soft in MuJoCo. Throws InputError at what MJCF cannot hold: loops that keep axes
/// perpendicular, and actuators with tubes or rods that have mass.
WrittenRobot write_mjcf(const Model& model, const Mechanism& design);

/// Writes a design as URDF: couplings as mimics, loops as <loop> elements and springs of joints as
/// Gazebo has them. In a design with loops joint positions count from the zero configuration.
/// Throws InputError at actuators between points, couplings to several joints, loops that keep axes
/// perpendicular, and, unless `with_springs` is false, springs between points.
WrittenRobot write_urdf(const Model& model, const Mechanism& design, bool with_springs);

/// Writes a design as SDF 1.11, as write_urdf; a loop is a joint whose child has another already.
WrittenRobot write_sdf(const Model& model, const Mechanism& design, bool with_springs);

}  // namespace counterpoise
