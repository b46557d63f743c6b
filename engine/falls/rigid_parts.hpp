#pragma once

#include <span>

#include "engine/kinematics/closure/joint_frame.hpp"
#include "engine/kinematics/closure/joint_motion.hpp"

namespace counterpoise {

/// Sets the bodies of `parts` to those of a mechanism in which what hangs together rigidly is one
/// body: a body on a joint with `still` gives its mass to the body that carries it, as it stands at
/// the state, and what hangs on it hangs on that body. Body indices and the coordinates of all
/// other joints stay the same; bodies on still joints are left without mass, on fixed joints. Only
/// bodies and gravity of `parts` are set. Cost: proportional to the number of bodies.
void join_rigid_parts(const Mechanism& mechanism, std::span<const JointFrame> frames,
                      const JointView<double>& state, std::span<const char> still,
                      Mechanism& parts);

}  // namespace counterpoise
