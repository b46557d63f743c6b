#pragma once

#include <array>
#include <vector>

#include "engine/dynamics/tree_model.hpp"
#include "engine/mechanism/mechanism.hpp"

namespace counterpoise {

/// A moving joint of a chain in the plane of its loop. At joint position 0 every body has
/// the planar axes of the loop's nearest common ancestor, so only joints turn them.
struct PlanarJoint {
  int body = -1;
  bool turns = false;
  double sign = 1.0;                                 // revolute: sign of its axis along the normal
  Eigen::Vector2d origin = Eigen::Vector2d::Zero();  // from the joint before, at position 0    [m]
  Eigen::Vector2d along = Eigen::Vector2d::Zero();   // prismatic: unit vector
};

/// One side of a planar loop, from the ancestor to the loop's point.
struct PlanarChain {
  std::vector<PlanarJoint> joints;
  Eigen::Vector2d tip = Eigen::Vector2d::Zero();  // from the last joint                        [m]
};

/// A joint on a dyad's chains.
struct DyadJoint {
  std::size_t end = 0;       // chain that it is in
  std::size_t position = 0;  // position in that chain
  double radius2 = -1.0;  // squared radius of the pin's circle, if no known joint changes it  [m^2]
};

/// A loop that determines two joints: its pin is where two circles, a circle and a line, or two
/// lines meet.
struct PlanarDyad {
  int loop = -1;
  std::array<PlanarChain, 2> chains;
  std::array<DyadJoint, 2> unknowns;  // the upper one first if both are on one chain
  double branch = 1.0;                // branch of the zero configuration
  std::vector<int> coordinates;       // coordinates that move its known joints

  [[nodiscard]] bool same_chain() const { return unknowns[0].end == unknowns[1].end; }
  [[nodiscard]] const PlanarJoint& joint(const DyadJoint& at) const {
    return chains[at.end].joints[at.position];
  }
};

/// A step from known joints to one more joint, or to the two unknown joints of a dyad.
struct MinimalStep {
  enum class Kind { driven, coupled, dyad } kind = Kind::driven;
  int body = -1;          // only for driven and coupled
  int coordinate = -1;    // only for driven
  Coupling coupling;      // only for coupled
  bool by_turns = false;  // coupled: sine and cosine follow from the other joints'
  PlanarDyad dyad;
};

/// How the joints of a mechanism follow from its independent coordinates q1, the positions of its
/// actuators, by closed forms alone (paper 003, eq. 2): everything the formulations in this folder
/// need to know that does not depend on the pose.
struct MinimalPlan {
  Mechanism mechanism;
  TreeModel tree;
  std::vector<int> coordinates;              // body index of the joint of each coordinate
  std::vector<MinimalStep> steps;            // in the order in which they can be taken
  std::vector<std::vector<int>> depends_on;  // per body: coordinates that move its joint
  std::vector<std::vector<int>> carried_by;  // per body: coordinates that move the body

  [[nodiscard]] int freedoms() const { return static_cast<int>(coordinates.size()); }
  [[nodiscard]] std::size_t bodies() const { return mechanism.bodies.size(); }
};

/// Makes the plan of a mechanism. Throws MechanismError, saying what stands in the way, unless
/// every joint is driven by an actuator of its own, coupled to others or one of two that a planar
/// loop determines; and if the zero configuration cannot be closed.
MinimalPlan plan_minimal(const Mechanism& mechanism);

}  // namespace counterpoise
