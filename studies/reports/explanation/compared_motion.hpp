#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cases/case_evaluator.hpp"
#include "engine/evaluation/simulation.hpp"

namespace counterpoise {

/// A robot in one motion of a study.
struct ComparedRobot {
  MotionDesign design;
  Simulation run;  // with reactions, if they can be computed
};

/// A case and the robots that it is compared with, in one motion that the case runs. The motion may
/// depend on parameters, but its duration and step do not, so all have the same samples.
struct ComparedMotion {
  std::size_t motion = 0;  // index of Study::motions
  ComparedRobot robot;
  std::optional<ComparedRobot> baseline;      // none where there is no such robot, or
  std::optional<Simulation> without_springs;  // it cannot follow; of the baseline
  std::string no_baseline;                    // why there is none, in words
  std::string no_reactions;                   // why runs have no reactions; empty if they have
};

/// All motions that a case runs. Throws InputError where the case cannot follow one.
std::vector<ComparedMotion> compared_motions(const Study& study, CaseEvaluator& evaluator,
                                             std::span<const double> point);

/// The column with this name, which the simulation has.
const std::vector<double>& column_of(const Simulation& simulation, std::string_view name);

/// The name of a spring's tension column in the output of `simulate`.
std::string tension_column(const Spring& spring);
std::string length_column(const Spring& spring);

/// Indices of the actuators that some objective of the study names, through `of` or in an
/// expression.
std::vector<int> named_actuators(const Study& study);

/// The words " in motion reach" if a study has several motions; else empty.
std::string in_motion(const Study& study, std::size_t motion);

}  // namespace counterpoise
