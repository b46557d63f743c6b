#include "studies/reports/explanation/compared_motion.hpp"

#include <algorithm>
#include <cassert>

namespace counterpoise {
namespace {

/// A run with reactions; without, and the reason in `no_reactions`, where they cannot be shared.
std::variant<Simulation, Finding> run_of(const MotionDesign& design, std::string& no_reactions) {
  try {
    SimulationOptions options;
    options.reactions = true;
    return simulate(design.mechanism, design.motion, options);
  } catch (const MechanismError& error) {
    no_reactions = error.what();
    return simulate(design.mechanism, design.motion, {});
  }
}

void add_baselines(CaseEvaluator& evaluator, ComparedMotion& compared) {
  try {
    MotionDesign design = evaluator.baseline_design(compared.motion);
    auto run = run_of(design, compared.no_reactions);
    if (const auto* finding = std::get_if<Finding>(&run)) {
      compared.no_baseline = describe(*finding, design.mechanism);
      return;
    }
    auto springless = simulate(design.mechanism, design.motion, {.springs = false});
    if (auto* simulation = std::get_if<Simulation>(&springless))
      compared.without_springs = std::move(*simulation);
    compared.baseline = {std::move(design), std::get<Simulation>(std::move(run))};
  } catch (const InputError& error) {
    compared.no_baseline = error.message();
  }
}

}  // namespace

std::vector<ComparedMotion> compared_motions(const Study& study, CaseEvaluator& evaluator,
                                             std::span<const double> point) {
  std::vector<ComparedMotion> all;
  for (std::size_t m = 0; m < study.motions.size(); ++m) {
    if (study.motion_variable >= 0) {
      const auto v = static_cast<std::size_t>(study.motion_variable);
      const auto level = static_cast<std::size_t>(point[v]);
      if (study.variables[v].motions[level] != static_cast<int>(m)) continue;
    }
    ComparedMotion& compared = all.emplace_back();
    compared.motion = m;
    compared.robot.design = evaluator.design(point, m);
    auto run = run_of(compared.robot.design, compared.no_reactions);
    if (const auto* finding = std::get_if<Finding>(&run))
      throw InputError(study.motions[m].where, describe(*finding, compared.robot.design.mechanism));
    compared.robot.run = std::get<Simulation>(std::move(run));
    add_baselines(evaluator, compared);
  }
  return all;
}

const std::vector<double>& column_of(const Simulation& simulation, std::string_view name) {
  const auto found = std::find_if(simulation.columns.begin(), simulation.columns.end(),
                                  [&](const Series& series) { return series.name == name; });
  assert(found != simulation.columns.end());
  return found->values;
}

std::string tension_column(const Spring& spring) {
  return spring.name + (spring.type == SpringType::torsion ? ".torque" : ".tension");
}

std::string length_column(const Spring& spring) {
  return spring.name + (spring.type == SpringType::torsion ? ".angle" : ".length");
}

std::vector<int> named_actuators(const Study& study) {
  std::vector<bool> named(study.model->nominal.actuators.size(), false);
  for (const Objective& objective : study.objectives) {
    for (const int actuator : objective.actuators) named[static_cast<std::size_t>(actuator)] = true;
    if (!objective.expression) continue;
    for (const int used : objective.expression->used()) {
      if (used < study.metric_offset() || used >= study.baseline_offset()) continue;
      const MetricName& metric =
          study.metrics[static_cast<std::size_t>(used - study.metric_offset())];
      if (metric.of == MetricOf::actuator) named[static_cast<std::size_t>(metric.element)] = true;
    }
  }
  std::vector<int> actuators;
  for (std::size_t a = 0; a < named.size(); ++a)
    if (named[a]) actuators.push_back(static_cast<int>(a));
  return actuators;
}

std::string in_motion(const Study& study, std::size_t motion) {
  return study.motions.size() > 1 ? " in motion " + study.motions[motion].name : std::string();
}

}  // namespace counterpoise
