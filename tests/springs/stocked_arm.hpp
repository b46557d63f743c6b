#pragma once

#include <fmt/format.h>

#include "tests/springs/sized_pendulum.hpp"
#include "tests/support/random.hpp"

/// An arm of two links whose springs come from a catalogue of random rows.
namespace counterpoise::test::stocked_arm {

inline constexpr int rows_in_catalogue = 40;

/// Two links, three springs, each with its own parameters.
inline const std::string three_springs = R"({"format": "counterpoise-model/1",
"parameters": {"ka": 0, "la": 0, "fa": 0, "kb": 0, "lb": 0, "fb": 0, "kc": 0, "lc": 0, "fc": 0,
"most": 1e6},
"world": {"points": {"post": [0, 0, 0.5], "back": [-0.2, 0, 0.3]}},
"bodies": [
{"name": "upper", "parent": "world", "joint": {"type": "revolute", "axis": "y"},
 "mass": 3, "com": [0.25, 0, 0.01], "inertia": [0.1, 0.1, 0.1, 0, 0, 0],
 "points": {"near": [0.12, 0, 0], "far": [0.3, 0, 0.02], "up": [0.1, 0, 0.1]}},
{"name": "lower", "parent": "upper", "joint": {"type": "revolute", "axis": "y", "origin": [0.5, 0, 0]},
 "mass": 2, "com": [0.2, 0, 0], "points": {"front": [0.3, 0, 0.05]}}],
"springs": [
{"name": "a", "connect": ["world.post", "upper.far"], "rate": "ka", "free_length": "la",
 "initial_tension": "fa", "max_load": "most"},
{"name": "b", "connect": ["world.back", "upper.near"], "rate": "kb", "free_length": "lb",
 "initial_tension": "fb"},
{"name": "c", "connect": ["upper.up", "lower.front"], "rate": "kc", "free_length": "lc",
 "initial_tension": "fc"}],
"actuators": [{"name": "shoulder", "joint": "upper"}, {"name": "elbow", "joint": "lower"}]})";

inline const std::string motion =
    R"({"format": "counterpoise-motion/1", "duration": 60, "step": 0.1,
"coordinates": {"shoulder": {"type": "sine", "mean": -0.2, "amplitude": 0.7, "period": 20},
"elbow": {"type": "sine", "mean": 0.4, "amplitude": 0.5, "period": 13}}})";

inline std::string random_catalogue(std::uint64_t seed) {
  Random random(seed);
  std::string text = "part,rate,free,initial\n";
  for (int i = 0; i < rows_in_catalogue; ++i)
    text += fmt::format("p{},{:.6g},{:.6g},{:.6g}\n", i, random.uniform(10.0, 400.0),
                        random.uniform(0.0, 0.2), random.uniform(0.0, 20.0));
  return text;
}

inline std::string catalogue_variable(char spring) {
  return fmt::format(R"("{0}": {{"catalogue": "parts.csv", "sets": {{"k{0}": "rate", "l{0}": "free",
"f{0}": "initial"}}}})",
                     spring);
}

inline const std::string peak = R"({"name": "o", "minimize": "max", "of": ["shoulder"]})";

inline Study study_with(const std::string& variables, const std::string& method,
                        const std::string& objective, const std::string& rest,
                        const std::string& catalogue) {
  const std::string text = R"({"format": "counterpoise-study/1", "model": "arm.json",
"motions": {"work": "work.json"}, "variables": {)" +
                           variables + "}, " + method + R"(, "objectives": [)" + objective + "]" +
                           rest + "}";
  return study_of({{"study.json", text},
                   {"arm.json", three_springs},
                   {"work.json", motion},
                   {"parts.csv", catalogue}});
}

inline Study study(const std::string& variables, const std::string& method,
                   const std::string& objective, const std::string& rest = "",
                   std::uint64_t seed = 3) {
  return study_with(variables, method, objective, rest, random_catalogue(seed));
}

}  // namespace counterpoise::test::stocked_arm
