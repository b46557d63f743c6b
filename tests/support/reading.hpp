#pragma once

#include <map>
#include <string>

#include "input/definition/parametric_motion.hpp"
#include "input/reading/read.hpp"

namespace counterpoise::test {

/// Files that exist only in memory.
inline FileProvider texts(std::map<std::string, std::string> files) {
  return [files = std::move(files)](const std::filesystem::path& path) {
    const auto found = files.find(path.string());
    if (found == files.end()) throw InputError({.file = path.string()}, "cannot be opened");
    return found->second;
  };
}

inline Model model_of(const std::string& text) {
  return read_model("model.json", texts({{"model.json", text}}));
}

inline Model charmie() {
  return read_model(std::string(COUNTERPOISE_SOURCE_DIR) + "/examples/charmie24/model.json",
                    read_text_file);
}

/// A two-link arm with parameters, a point on each body, a spring and two actuators.
inline const std::string arm = R"({
 "format": "counterpoise-model/1",
 "parameters": {
  "length": {"value": 300, "unit": "mm", "min": 100, "max": 500},
  "half": "length/2",
  "quarter": "half/2",
  "load": 2
 },
 "world": {"points": {"anchor": [0, 0, "length + 0.1"]}},
 "bodies": [
  {"name": "upper", "parent": "world", "joint": {"type": "revolute", "axis": "y"},
   "mass": 1, "com": ["half", 0, 0], "inertia": [0.1, 0.1, 0.1, 0, 0, 0],
   "points": {"middle": ["half", 0, 0]}},
  {"name": "lower", "parent": "upper",
   "joint": {"type": "revolute", "axis": "y", "origin": ["length", 0, 0]}, "mass": "load"}
 ],
 "springs": [{"name": "lift", "connect": ["world.anchor", "upper.middle"], "rate": 500,
              "free_length": "quarter"}],
 "actuators": [{"name": "shoulder", "joint": "upper"}, {"name": "elbow", "joint": "lower"}]
})";

}  // namespace counterpoise::test
