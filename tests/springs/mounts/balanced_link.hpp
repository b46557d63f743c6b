#pragma once

#include <fmt/format.h>

#include <array>
#include <string>

#include "tests/support/arm_study.hpp"
#include "tests/support/random.hpp"

namespace counterpoise::test {

/// A link that a spring between a post and a mount nearly balances, so that a few instants decide
/// which spring is best. `mounts` are the first of its four coordinates that vary.
inline Files balanced_link(Random& random, int mounts, const char* free_length,
                           const std::string& rest = {}) {
  std::string variables;
  const std::array<const char*, 4> ranges = {
      R"("post_z": {"range": [0.14, 0.28]})", R"("mount_x": {"range": [0.03, 0.1]})",
      R"("post_x": {"range": [-0.05, 0.05]})", R"("mount_z": {"range": [-0.03, 0.03]})"};
  for (int i = 0; i < mounts; ++i) variables += fmt::format(", {}", ranges[i]);
  return {{"model.json", fmt::format(R"json({{"format": "counterpoise-model/1", "parameters": {{
"rate": 1000, "free": 0.05, "tension": 0, "post_z": 0.2, "mount_x": 0.08, "post_x": 0, "mount_z": 0}},
"world": {{"points": {{"post": ["post_x", 0, "post_z"]}}}},
"bodies": [{{"name": "link", "parent": "world", "joint": {{"type": "revolute", "axis": [0, -1, 0]}},
 "mass": {:.3f}, "com": [{:.3f}, 0, {:.3f}], "inertia": [0.002, 0.04, 0.04, 0, 0, 0],
 "points": {{"mount": ["mount_x", 0, "mount_z"]}}}}],
"springs": [{{"name": "s", "connect": ["world.post", "link.mount"], "rate": "rate",
 "free_length": "free", "initial_tension": "tension"}}],
"actuators": [{{"name": "hinge", "joint": "link"}}]}})json",
                                     random.uniform(3.0, 6.0), random.uniform(0.2, 0.35),
                                     random.uniform(-0.05, 0.05))},
          {"heavy.json", fmt::format(R"({{"format": "counterpoise-motion/1", "duration": 2,
"step": 0.04, "coordinates": {{"hinge": {{"type": "sine", "mean": {:.3f}, "amplitude": {:.3f},
"period": 2}}}}}})",
                                     random.uniform(0.0, 0.4), random.uniform(0.4, 0.9))},
          {"study.json", fmt::format(R"({{"format": "counterpoise-study/1", "model": "model.json",
"motions": {{"heavy": "heavy.json"}}, "variables": {{"rate": {{"range": [100, 3000]}},
"free": {{"range": {}}}, "tension": {{"range": [0, 40]}}{}}},
"search": {{"method": "exact-springs", "geometry": "prove", "gap": 0.05}},
"objectives": [{{"name": "o", "minimize": "max", "of": ["hinge"]}}]{}}})",
                                     free_length, variables, rest)}};
}

}  // namespace counterpoise::test
