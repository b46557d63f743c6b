#pragma once

#include <map>
#include <string>

#include "input/reading/read.hpp"
#include "tests/support/reading.hpp"

namespace counterpoise::test {

using Files = std::map<std::string, std::string>;

/// Two links; a spring from the world loads the shoulder alone, one between the links the elbow.
inline const std::string arm_with_springs = R"({"format": "counterpoise-model/1",
"parameters": {
"load": {"value": 2, "min": 0.5, "max": 5},
"doubled": {"value": "2*load", "max": 8},
"rate": 300, "height": 0.5, "mount": 0.3, "free": 0.1, "tension": 5, "shortest": 0,
"strongest": 1000},
"world": {"points": {"anchor": [0, 0, "height"]}},
"bodies": [
{"name": "upper", "parent": "world", "joint": {"type": "revolute", "axis": "y"},
 "mass": 3, "com": [0.25, 0, 0.01], "inertia": [0.1, 0.1, 0.1, 0, 0, 0],
 "points": {"mount": ["mount", 0, 0], "back": [0.1, 0, 0.1]}},
{"name": "lower", "parent": "upper",
 "joint": {"type": "revolute", "axis": "y", "origin": [0.5, 0, 0]},
 "mass": "load", "com": [0.2, 0, 0], "points": {"front": [0.3, 0, 0.05]}}],
"springs": [
{"name": "lift", "connect": ["world.anchor", "upper.mount"], "rate": "rate",
 "free_length": "free", "initial_tension": "tension", "min_length": "shortest"},
{"name": "help", "connect": ["upper.back", "lower.front"], "rate": 200, "free_length": 0.2}],
"actuators": [{"name": "shoulder", "joint": "upper", "max_load": "strongest"},
{"name": "elbow", "joint": "lower"}]})";

inline const std::string swing = R"({"format": "counterpoise-motion/1",
"duration": 2, "step": 0.01, "coordinates": {
"shoulder": {"type": "sine", "amplitude": 0.6, "period": 2},
"elbow": {"type": "sine", "mean": 0.4, "amplitude": 0.3, "period": 1}}})";

inline const std::string fold = R"({"format": "counterpoise-motion/1",
"duration": 1, "step": 0.01, "coordinates": {
"shoulder": {"type": "point-to-point", "from": 0.1, "to": 0.7},
"elbow": {"type": "hold", "value": 0.2}}})";

inline const std::string catalogue =
    "maker,rate [N/mm],free_length [mm],initial\n"
    "soft,0.1,50,0\n"
    "firm,0.3,100,5\n"
    "hard,0.9,120,20\n"
    "stiff,4,80,60\n";

/// The text with its only `was` replaced by `is`.
inline std::string with(std::string text, const std::string& was, const std::string& is) {
  const auto at = text.find(was);
  if (at == std::string::npos || text.find(was, at + 1) != std::string::npos)
    throw std::logic_error("not once in the text: " + was);
  return text.replace(at, was.size(), is);
}

/// The files every study of the arm may name, and the study itself as study.json.
inline Files arm_files(const std::string& study) {
  return {{"model.json", arm_with_springs},
          {"swing.json", swing},
          {"fold.json", fold},
          {"springs.csv", catalogue},
          {"study.json", study}};
}

/// A study of the arm from the members that differ: "variables", "sampling" and so on.
inline std::string arm_study(const std::string& members,
                             const std::string& motions = R"({"swing": "swing.json"})") {
  return R"({"format": "counterpoise-study/1", "model": "model.json", "motions": )" + motions +
         ", " + members + "}";
}

inline Study study_of(const Files& files) {
  return read_study("study.json", texts(files));
}

inline const std::string one_objective =
    R"("objectives": [{"name": "peak", "minimize": "max", "of": ["shoulder"]}])";

}  // namespace counterpoise::test
