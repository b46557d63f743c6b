#pragma once

#include <array>
#include <vector>

#include "engine/kinematics/chains/path.hpp"

namespace counterpoise {

/// The paths of all elements that span two points, made once per structure.
struct Paths {
  explicit Paths(const Mechanism& mechanism);
  std::vector<Path> loops;
  std::vector<Path> actuators;  // empty paths for actuators on joints
  std::vector<Path> springs;    // empty paths for torsion springs
};

enum class EquationKind { joint_drive, line_drive, coupling, loop };

/// One condition on the joint positions. `slot` is the index of the driven value of a joint or line
/// drive.
struct Equation {
  EquationKind kind;
  int element;  // body index of the joint, or index of the actuator, coupling or loop
  int slot = -1;
  int rows = 1;
};

/// The equations of all couplings and loops.
std::vector<Equation> closing_equations(const Mechanism& mechanism);

/// The path of a loop or of the line of an actuator.
const Path& path_of(const Equation& equation, const Paths& paths);

/// The moving joints an equation involves, as body indices.
std::vector<BodyIndex> joints_of(const Equation& equation, const Mechanism& mechanism,
                                 const Paths& paths);

/// The moving joints whose positions a spring's length depends on, as body indices.
std::vector<BodyIndex> joints_of_spring(const Mechanism& mechanism, const Paths& paths,
                                        SpringIndex spring);

/// Two directions, each on one body of a loop and in its axes, that are to stay at right angles.
struct AxisPair {
  Vec3d first, second;
};

/// The directions that the two bodies of a loop keep at right angles besides keeping the points
/// together: as many pairs as its equation has rows after the first three; the others are
/// unspecified.
std::array<AxisPair, 3> axis_pairs(const Loop& loop);

}  // namespace counterpoise
