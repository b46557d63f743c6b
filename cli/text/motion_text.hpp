#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/output/answer.hpp"
#include "cli/text/text_style.hpp"
#include "engine/mechanism/finding.hpp"
#include "engine/mechanism/motion.hpp"
#include "input/definition/model.hpp"
#include "input/definition/parametric_motion.hpp"

namespace counterpoise {

/// The largest of some numbers in size, and when it is.
struct Largest {
  double value = 0.0;
  double time = 0.0;  // [s]

  /// Takes the first of those that differ by rounding only.
  void take(double number, double at);
};

/// What a coordinate does at the samples of a motion.
struct CoordinateCourse {
  std::string name, si;  // and the unit of its positions
  double least = no_limit, greatest = -no_limit;
  Largest speed, acceleration;
  std::optional<Largest> jerk;  // unless the acceleration jumps
};

/// A limit of an actuator's position or speed that a motion reaches or breaks.
struct MetLimit {
  std::string actuator, key, si;  // "max_speed", "rad/s"
  bool broken = false;
  double bound = 0.0;
  Largest extreme;  // the position or speed that is farthest on its side
};

/// What a motion is for a mechanism.
struct MotionCourse {
  const Motion* motion = nullptr;
  const ParametricMotion* given = nullptr;  // what the file says
  const Model* model = nullptr;
  std::vector<CoordinateCourse> coordinates;
  std::vector<MetLimit> limits;
  bool followed = false;  // whether the mechanism can follow it; else limits are not known
  bool limited = false;   // whether any actuator has a limit of position or speed
};

/// What the coordinates of a motion do.
std::vector<CoordinateCourse> courses_of(const Motion& motion, const Mechanism& mechanism);

/// How far smoothing moved recorded positions, a line for each table that is smoothed.
std::string smoothing_text(const ParametricMotion& motion, const ShownUnits& units,
                           const char* indent = "");
/// The same as an array; empty where nothing is smoothed.
Json smoothing_json(const ParametricMotion& motion);

std::string text_of(const MotionCourse& course, const TextStyle& style);
Json json_of(const MotionCourse& course);

}  // namespace counterpoise
