#pragma once

#include <set>
#include <string>
#include <vector>

#include "engine/mechanism/mechanism.hpp"
#include "input/definition/model.hpp"

namespace counterpoise {

/// The position of every joint of a design in the zero configuration; 0 where fixed. Throws
/// InputError where its loops do not close.
std::vector<double> zero_positions(const Model& model, const Mechanism& design);

/// The remark that friction which grows with the reaction of a body's joint is left out.
std::string lost_friction(const Body& body);

/// A joint that follows another, as URDF and SDF have it: it has no actuator.
struct Mimic {
  BodyIndex follower, leader;
  double multiplier = 1.0, offset = 0.0;
};

/// A design as formats hold it in which joints make a tree, loops close it where the joints are at
/// 0, a joint mimics at most one other, and springs act at joints.
struct TreeDesign {
  Mechanism design;
  std::vector<Mimic> mimics;
  std::vector<std::string> remarks;  // what is left out or different
  std::set<std::string> names;       // of bodies and joints

  /// The actuator on a joint, or nullptr.
  [[nodiscard]] const Actuator* actuator_of(BodyIndex joint) const;
  /// The name of its actuator, else the body's with something behind it that nothing else has.
  [[nodiscard]] std::string joint_name(BodyIndex joint) const;
  /// The name, with something behind it where a body or joint has it.
  [[nodiscard]] std::string free_name(std::string name) const;
  /// From each body's axes to the world's, with all joints at 0.
  [[nodiscard]] std::vector<Mat3d> rotations() const;
};

/// Prepares a design for `format`, "URDF" or "SDF". In one with loops joint positions count from
/// the zero configuration. Throws InputError at actuators between points, couplings to several
/// joints and, unless `with_springs` is false, springs that such formats do not hold.
TreeDesign tree_design(const Model& model, const Mechanism& design, const std::string& format,
                       bool with_springs);

}  // namespace counterpoise
