#pragma once

#include <fmt/format.h>

#include "tests/springs/sized_pendulum.hpp"
#include "tests/support/random.hpp"

/// Arms of two links with random numbers, whose springs hang on mounts that variables move in
/// several ways.
namespace counterpoise::test::mounted_arm {

/// Springs from the world to the upper link and from it to the world, and one between the links;
/// mounts by coordinate, in mirrored pairs, and by radius and angle.
inline std::string model(Random& random) {
  return fmt::format(
      R"json({{"format": "counterpoise-model/1",
"parameters": {{"rate": 300, "free": 0.05, "tension": 5, "rate_2": 200, "free_2": 0.1,
"height": 0.5, "mount": 0.25, "angle": 0.3, "mirrored": "0 - mount", "radius": 0.15}},
"world": {{"points": {{"post": [{:.4f}, 0.1, "height"], "side": [0.1, {:.4f}, "2*height - 0.3"]}}}},
"bodies": [
{{"name": "upper", "parent": "world", "joint": {{"type": "revolute", "axis": [{:.3f}, 1, {:.3f}]}},
 "mass": {:.4f}, "com": [{:.4f}, 0, 0.02], "inertia": [0.1, 0.1, 0.1, 0, 0, 0],
 "points": {{"mount": ["mount", 0.1, 0], "other": ["mirrored", -0.1, 0.05],
 "crank": ["radius*cos(angle)", 0, "radius*sin(angle)"]}}}},
{{"name": "lower", "parent": "upper",
 "joint": {{"type": "revolute", "axis": "y", "origin": [0.5, 0, 0]}},
 "mass": {:.4f}, "com": [0.2, 0, 0], "points": {{"front": [{:.4f}, 0, 0.05]}}}}],
"springs": [
{{"name": "first", "connect": ["world.post", "upper.mount"], "rate": "rate", "free_length": "free",
 "initial_tension": "tension"}},
{{"name": "second", "connect": ["upper.other", "world.side"], "rate": "rate", "free_length": "free",
 "initial_tension": "tension"}},
{{"name": "third", "connect": ["upper.crank", "lower.front"], "rate": "rate_2",
 "free_length": "free_2"}}],
"actuators": [{{"name": "shoulder", "joint": "upper"}}, {{"name": "elbow", "joint": "lower"}}]}})json",
      random.uniform(-0.2, 0.2), random.uniform(-0.3, -0.1), random.uniform(-0.2, 0.2),
      random.uniform(-0.2, 0.2), random.uniform(2.0, 5.0), random.uniform(0.1, 0.3),
      random.uniform(0.5, 2.0), random.uniform(0.2, 0.35));
}

inline std::string motion(Random& random, double step) {
  return fmt::format(
      R"({{"format": "counterpoise-motion/1", "duration": 2, "step": {}, "coordinates": {{
"shoulder": {{"type": "sine", "mean": {:.3f}, "amplitude": {:.3f}, "period": 2}},
"elbow": {{"type": "sine", "mean": {:.3f}, "amplitude": {:.3f}, "period": 1.5}}}}}})",
      step, random.uniform(-0.5, 0.5), random.uniform(0.3, 0.9), random.uniform(0.1, 0.9),
      random.uniform(0.2, 0.8));
}

/// Which mounts move: bits of height, mount, and radius with angle. In wide ranges springs pass
/// pivots, and an optimum is seldom at an end.
inline std::string mounts(int which, bool wide) {
  std::string text;
  const auto add = [&](int bit, const char* name, const char* range, const char* wide_range) {
    if ((which & bit) != 0)
      text += fmt::format(R"(, "{}": {{"range": {}}})", name, wide ? wide_range : range);
  };
  add(1, "height", "[0.3, 0.7]", "[-0.4, 1.1]");
  add(2, "mount", "[0.1, 0.4]", "[-0.3, 0.5]");
  add(4, "angle", "[-0.6, 0.9]", "[-3.1, 3.1]");
  return text;
}

struct Asked {
  std::string objective = R"({"name": "o", "minimize": "max", "of": ["shoulder"]})";
  std::string search = R"("geometry": "prove", "gap": 1e-4)";
  std::string rest = {};
  int mounts = 3;
  bool wide = false;   // ranges of mounts
  double step = 0.05;  // [s] of the motion of 2 s
};

inline Files files(Random& random, const Asked& asked) {
  const std::string variables =
      R"("rate": {"range": [0, 900]}, "free": {"range": [0.02, 0.2]}, "tension": {"range": [0, 30]},
"rate_2": {"range": [0, 600]})" +
      mounts(asked.mounts, asked.wide);
  return {{"model.json", model(random)},
          {"work.json", motion(random, asked.step)},
          {"study.json",
           R"({"format": "counterpoise-study/1", "model": "model.json",
"motions": {"work": "work.json"}, "variables": {)" +
               variables + R"(}, "search": {"method": "exact-springs", )" + asked.search +
               R"(}, "objectives": [)" + asked.objective + "]" + asked.rest + "}"}};
}

/// An objective that is minimised.
inline std::string expression(const std::string& text) {
  return fmt::format(R"({{"name": "o", "expression": "{}"}})", text);
}

inline const std::vector<std::string>& objectives() {
  static const std::vector<std::string> all = {
      R"({"name": "o", "minimize": "max", "of": ["shoulder"]})",
      R"({"name": "o", "minimize": "mean", "of": ["shoulder"]})",
      R"({"name": "o", "minimize": "rms", "of": ["shoulder", "elbow"]})",
      R"({"name": "o", "expression": "0.3*shoulder.max + 0.7*elbow.mean"})",
      R"json({"name": "o", "expression": "max(shoulder.max / without_springs.shoulder.max, elbow.mean / without_springs.elbow.mean)"})json"};
  return all;
}

/// Objectives whose weights mounts change, or with terms of mounts alone, also over wide ranges.
inline const std::vector<std::string>& weighed_objectives() {
  static const std::vector<std::string> all = {
      R"json({"name": "o", "expression": "shoulder.max / (0.7 + height)"})json",
      R"json({"name": "o", "expression": "shoulder.mean * (1 + 3*mount^2) + 4*(height - 0.4)^2"})json",
      R"json({"name": "o", "expression": "sqrt(1.5 + height)*shoulder.rms + elbow.rms*(2 + sin(angle))"})json",
      R"json({"name": "o", "expression": "max(shoulder.max*(1 + mount), elbow.mean*2 - 3*height) + cos(angle) + 0.002*(1 + height^2)*rate"})json",
      R"json({"name": "o", "expression": "(2 - mount - mount^2) * (max(shoulder.max / without_springs.shoulder.max, (1 + 0.3*cos(angle))*elbow.mean / without_springs.elbow.mean) + 0.1*height)"})json"};
  return all;
}

}  // namespace counterpoise::test::mounted_arm
