#pragma once

#include "engine/kinematics/chains/two_point.hpp"
#include "engine/kinematics/closure/dyad.hpp"

namespace counterpoise {

/// The joint position, on one branch, that gives the line between two points a prescribed length.
template <class S>
struct LineJointSolution {
  Angle<S> joint;  // position; an angle is within (-pi, pi]. A slide has no sine
  S gap;           // [m] if positive, by how much the length is out of reach; else it is reached
  S sine;          // |dL/dq| relative to its largest possible value, 0 where the pose is singular
};

/// Solves for one revolute or prismatic joint on a two-point path in the general case: by the law
/// of cosines about any axis, or by Pythagoras along it, with all other joints on the path as in
/// `state`; the entries of `state` for the joint are overwritten. This covers both indirectly
/// driven joints of CHARMIE (paper 000, eqs. 5-14; eq. 14 prints its second sign reversed).
/// `branch` is +1 or -1.
template <class S>
LineJointSolution<S> solve_line_joint(const DesignGeometry& geometry, const Path& path,
                                      const PathJoint& joint, double branch, const S& length,
                                      const JointState<S>& state, Line<S>& line);

}  // namespace counterpoise
