#pragma once

#include <nlohmann/json.hpp>

#include "cases/case_evaluator.hpp"
#include "results/text/cells.hpp"

namespace counterpoise {

/// A robot whose motors are drawn in one motion.
struct DrivenRobot {
  std::string name;  // "case 12", "baseline"
  MotionDesign design;
  const CaseMetrics* metrics = nullptr;  // of all motions; they name the drives that were chosen
  bool springs = true;
};

/// Torque over speed of the motors of a study in one motion, type `ShaftData` of
/// report/src/report/data.ts: a course for each robot that has a motor, and what the first robot's
/// motor can do. Cost: an evaluation for each robot.
Json shafts_json(const Study& study, std::span<const DrivenRobot> robots);

}  // namespace counterpoise
