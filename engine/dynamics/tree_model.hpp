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

/// The bodies that matter for the tree's forces, prepared once per design: those that carry mass,
/// or whose descendants do. Massless linkages are left out.
///
/// Each body is described in axes that leave little to compute per sample: parallel to those of its
/// parent at q = 0, if its joint turns about one of them or does not turn; else the third lies
/// along the joint. All vectors are in such axes. Masses enter as integrals over the body, about
/// its origin.
struct TreeModel {
  struct Body {
    int index = 0;
    BodyIndex parent = world_body;   // body index
    Mat3d axes = Mat3d::Identity();  // to the mechanism's axes of this body

    JointType type = JointType::fixed;
    int turn_axis = 2;               // revolute: it turns about this axis
    bool reversed = false;           //   against the positive sense
    bool tilted = false;             //   and the parent's axes differ at q = 0:
    Mat3d tilt = Mat3d::Identity();  //   R_PB there
    Vec3d slide_P = Vec3d::Zero();   // prismatic: along this unit vector, in parent axes
    SparseVec3 origin_P;             // at q = 0, in parent axes                         [m]

    double mass = 0.0;                    // of dm                                      [kg]
    SparseVec3 first_moment;              // of r dm                                  [kg m]
    Mat3d second_moment = Mat3d::Zero();  // of r r' dm                             [kg m^2]
    bool massless = true;                 // whether all three are zero
    bool main_axes = false;               // whether the last is diagonal

    bool parent_turns = false;  // whether a revolute joint comes before this body's
    bool after_parent = false;  // whether the parent is the entry before
    bool kept = false;          // whether entries later than the next have it as their parent
  };
  Vec3d gravity = Vec3d::Zero();
  std::vector<Body> bodies;  // base to tips

  /// Needed after any change of a mass or of the geometry of a joint. Allocates only when the
  /// number of bodies grows.
  void prepare(const Mechanism& mechanism);

 private:
  void find_carriers(const Mechanism& mechanism);

  std::vector<bool> carries_;
  std::vector<std::size_t> place_;  // of each of the mechanism's bodies in `bodies`
};

}  // namespace counterpoise
