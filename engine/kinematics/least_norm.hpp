#pragma once

#include <vector>

#include "engine/mechanism/mechanism.hpp"
#include "engine/mechanism/motion.hpp"

namespace counterpoise {

/// Courses for as many actuators as a motion of points leaves free, so that the motion determines
/// all joints.
struct LeastNorm {
  std::vector<Drive> drives;
  std::vector<JointGuess> guess;  // where all moving joints are at the start
};

/// At each instant the velocities of all actuators have the least norm with which the points move
/// as they are to; radians and metres count alike. The courses are splines through the positions
/// that this gives at every step of the motion (at 200 to 20,000 times), found by the Runge-Kutta
/// method of fourth order. The actuators that get them are those that stay farthest from singular
/// poses, of 5000 choices at most. Where the points cannot be followed any farther, the courses
/// stay where they are. Throws MechanismError if the zero configuration does not close, if nothing
/// is left free, or if no actuators can take the courses. Cost: some 10 solutions of linear systems
/// for each time.
LeastNorm find_least_norm(const Mechanism& mechanism, const Motion& motion);

}  // namespace counterpoise
