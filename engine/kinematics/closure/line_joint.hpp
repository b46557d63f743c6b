#pragma once

#include "engine/kinematics/chains/two_point.hpp"
#include "engine/kinematics/closure/dyad.hpp"

namespace counterpoise {

/// One branch of the joint position that gives the line between two points a prescribed length.
template <class S>
struct LineJointSolution {
  S q;     // an angle within (-pi, pi]
  S gap;   // [m] positive: by how much the length is out of reach; else it is reached
  S sine;  // |dL/dq| relative to its largest possible value, 0 where the pose is singular
};

/// Solves one revolute or prismatic joint on a two-point path, in general: law of cosines about any
/// axis, or Pythagoras along it, with everything else on the path as in `state`, whose entries for
/// the joint are overwritten. This covers both indirectly driven joints of CHARMIE (paper 000,
/// eqs. 5-14; eq. 14 prints its second sign reversed). `branch` is +1 or -1.
template <class S>
LineJointSolution<S> solve_line_joint(const DesignGeometry& geometry, const Path& path,
                                      const PathJoint& joint, double branch, const S& length,
                                      const JointState<S>& state, Line<S>& line);

}  // namespace counterpoise
