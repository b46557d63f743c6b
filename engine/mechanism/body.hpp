#pragma once

#include <string>

#include "engine/math/vector.hpp"
#include "engine/mechanism/index.hpp"

namespace counterpoise {

enum class JointType { fixed, revolute, prismatic };

/// The joint that precedes a body and carries its name. At joint position q
///   revolute:  R_PB = rotation * Rot(axis, q),   p_PB = origin
///   prismatic: R_PB = rotation,                  p_PB = origin + rotation * axis * q
struct Joint {
  JointType type = JointType::fixed;
  Vec3d axis = Vec3d::UnitZ();         // unit vector in the body's own axes
  Vec3d origin = Vec3d::Zero();        // body origin in the parent frame at q = 0       [m]
  Mat3d rotation = Mat3d::Identity();  // R_PB at q = 0
  double guess = 0.0;                  // q of the zero configuration before closing [rad, m]
};

/// A rigid body and the joint that connects it to its parent. Bodies are numbered from base to
/// tips: parent < index.
struct Body {
  std::string name;
  BodyIndex parent = world_body;
  Joint joint;
  double mass = 0.0;              // [kg]
  Vec3d com = Vec3d::Zero();      // centre of mass in body axes                    [m]
  Mat3d inertia = Mat3d::Zero();  // about the centre of mass, body axes       [kg m^2]
};

/// A named place on a body (or on the world).
struct Point {
  std::string name;
  BodyIndex body = world_body;
  Vec3d position = Vec3d::Zero();  // in body axes                                   [m]
};

}  // namespace counterpoise
