#pragma once

#include <array>

#include "engine/math/vector.hpp"
#include "engine/mechanism/mechanism.hpp"

namespace counterpoise {

/// A constant vector that often lies along an axis, and which of its components are not zero.
struct SparseVec3 {
  Vec3d value = Vec3d::Zero();
  std::array<bool, 3> has = {false, false, false};

  SparseVec3() = default;
  explicit SparseVec3(const Vec3d& v) : value(v), has{v.x() != 0.0, v.y() != 0.0, v.z() != 0.0} {}
};

/// The bodies that carry mass or have descendants with mass, prepared once per design. Massless
/// linkages are left out.
///
/// Each body is described in axes that leave little to compute per sample: parallel to its parent's
/// at q = 0, if its joint turns about one of these or does not turn; otherwise the third axis lies
/// along the joint's. All vectors are in such axes. Masses enter as integrals over the body, about
/// its origin.
struct TreeModel {
  struct Body {
    int index = 0;
    BodyIndex parent = world_body;   // body index
    Mat3d axes = Mat3d::Identity();  // rotation to the mechanism's axes of this body

    JointType type = JointType::fixed;
    int turn_axis = 2;               // revolute: index of the axis that it turns about
    bool reversed = false;           // revolute: whether it turns against the positive sense
    bool tilted = false;             // revolute: whether the parent's axes differ at q = 0
    Mat3d tilt = Mat3d::Identity();  // revolute: R_PB at q = 0 if tilted
    Vec3d slide_P = Vec3d::Zero();   // prismatic: unit vector that it slides along, in parent axes
    SparseVec3 origin_P;             // origin at q = 0, in parent axes                     [m]

    double mass = 0.0;                    // integral of dm                                    [kg]
    SparseVec3 first_moment;              // integral of r dm                                [kg m]
    Mat3d second_moment = Mat3d::Zero();  // integral of r r' dm                           [kg m^2]
    bool massless = true;                 // whether mass and both moments are zero
    bool main_axes = false;               // whether second_moment is diagonal

    bool parent_turns = false;  // whether a revolute joint comes before this body's
    bool after_parent = false;  // whether the parent is the entry before
    bool kept = false;          // whether an entry later than the next has it as its parent
  };
  Vec3d gravity = Vec3d::Zero();
  std::vector<Body> bodies;  // base to tips

  /// Must be called after any change of a mass or of the geometry of a joint. Allocates only when
  /// the number of bodies grows.
  void prepare(const Mechanism& mechanism);

 private:
  void find_carriers(const Mechanism& mechanism);

  std::vector<bool> carries_;
  std::vector<std::size_t> place_;  // place in `bodies` of each of the mechanism's bodies
};

}  // namespace counterpoise
