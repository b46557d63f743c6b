#pragma once

#include <set>

#include "engine/evaluation/stages/plan.hpp"

namespace counterpoise {

using Groups = std::set<NumberGroup>;

/// A unit that is being declared, with each entry once.
struct Draft {
  Groups reads;
  std::set<int> drives;
  std::set<std::size_t> upstream;

  [[nodiscard]] StageUnit unit(Stage stage, std::size_t remembered, std::size_t series) const {
    return {stage,
            {reads.begin(), reads.end()},
            {drives.begin(), drives.end()},
            {upstream.begin(), upstream.end()},
            remembered,
            series,
            {}};
  }
};

/// For each body the step of the motion's plan that determines its joint, or StageUnits::none if
/// that does not move.
inline std::vector<std::size_t> steps_of_joints(const EvaluationPlan& plan) {
  std::vector<std::size_t> steps(plan.nominal.bodies.size(), StageUnits::none);
  for (std::size_t i = 0; i < plan.motion_plan.steps.size(); ++i)
    for (const BodyIndex body : plan.motion_plan.steps[i].unknowns) steps[at(body)] = i;
  return steps;
}

}  // namespace counterpoise
