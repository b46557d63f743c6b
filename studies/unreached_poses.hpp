#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "engine/mechanism/mechanism.hpp"
#include "engine/mechanism/motion.hpp"

namespace counterpoise {

/// Which poses of a motion a design leaves out, as it cannot be followed to them or they stand
/// beyond a limit (see Motion::skips).
struct UnreachedPoses {
  static constexpr std::size_t most_regions = 4;

  std::size_t motion = 0;  // index of the study's motion
  int poses = 0;           // of the motion
  int left_out = 0;
  /// Regions that hold nothing but such poses, the largest first, in words and in SI: "elbow from
  /// 1.2 rad on while shoulder up to -0.3 rad"; "poses 12 to 17" in a sequence of poses.
  std::vector<std::string> regions;
  int elsewhere = 0;  // poses that are left out in none of these regions
};

/// `times` are those of the poses that are not left out.
UnreachedPoses unreached_poses(std::size_t index, const Mechanism& mechanism, const Motion& motion,
                               std::span<const double> times);

}  // namespace counterpoise
