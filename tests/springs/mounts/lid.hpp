#pragma once

#include <fmt/format.h>

#include <array>

#include "tests/support/arm_study.hpp"
#include "tests/support/random.hpp"

namespace counterpoise::test {

/// A lid that a gas spring of a catalogue opens, in three motions: as it is, with snow and in the
/// cold. Springs are given, so that mounts alone decide. `mounts` are the first of four
/// coordinates that vary.
inline Files lid(Random& random, int mounts, int rows, const char* gap = "0.01") {
  const std::array<const char*, 4> ranges = {
      R"("wz": {"range": [-0.5, 0]})", R"("lx": {"range": [0.15, 0.7]})",
      R"("wx": {"range": [0, 0.5]})", R"("lz": {"range": [-0.15, 0.05]})"};
  std::string variables;
  for (int i = 0; i < mounts; ++i) variables += fmt::format(", {}", ranges[i]);
  std::string catalogue = "part,longest,stroke,force\n";
  for (int i = 0; i < rows; ++i)
    catalogue += fmt::format("gas_{},{:.3f},{:.3f},{:.0f}\n", i, random.uniform(0.5, 0.75),
                             random.uniform(0.1, 0.35), random.uniform(500.0, 1500.0));
  return {{"gas.csv", catalogue},
          {"model.json", fmt::format(R"json({{"format": "counterpoise-model/1", "parameters": {{
"snow": 0, "heat": 1, "wx": 0.2, "wz": -0.25, "lx": 0.5, "lz": -0.04, "longest": 0.6,
"stroke": 0.25, "force": 900}},
"world": {{"points": {{"post": ["wx", 0, "wz"]}}}},
"bodies": [{{"name": "lid", "parent": "world", "joint": {{"type": "revolute", "axis": [0, -1, 0]}},
 "mass": "{:.2f} + snow", "com": [{:.3f}, 0, {:.3f}], "inertia": [1, 4, 4, 0, 0, 0],
 "points": {{"mount": ["lx", 0, "lz"]}}}}],
"springs": [{{"name": "gas", "type": "compression", "acts": "push",
 "connect": ["world.post", "lid.mount"], "rate": "0.3 * force / stroke * heat",
 "free_length": "longest + stroke / 0.3", "min_length": "longest - stroke",
 "max_length": "longest"}}],
"actuators": [{{"name": "hinge", "joint": "lid"}}]}})json",
                                     random.uniform(15.0, 40.0), random.uniform(0.4, 0.6),
                                     random.uniform(-0.1, 0.0))},
          {"open.json", fmt::format(R"({{"format": "counterpoise-motion/1", "duration": 2,
"step": 0.05, "inertia": false, "coordinates": {{"hinge": {{"type": "point-to-point",
"from": {:.2f}, "to": {:.2f}}}}}}})",
                                    random.uniform(-1.4, -0.9), random.uniform(-0.1, 0.2))},
          {"study.json", fmt::format(R"({{"format": "counterpoise-study/1", "model": "model.json",
"motions": {{"normal": {{"file": "open.json", "weight": 2}},
 "snow": {{"file": "open.json", "parameters": {{"snow": 3}}}},
 "cold": {{"file": "open.json", "parameters": {{"heat": 0.85}}}}}},
"variables": {{"gas": {{"catalogue": "gas.csv", "sets": {{"longest": "longest",
 "stroke": "stroke", "force": "force"}}}}{}}},
"objectives": [{{"name": "peak", "minimize": "max", "of": ["hinge"]}}],
"search": {{"method": "exact-springs", "geometry": "prove", "gap": {},
 "max_simplices": 20000}}}})",
                                     variables, gap)}};
}

}  // namespace counterpoise::test
