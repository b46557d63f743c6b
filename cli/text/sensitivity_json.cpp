#include <fmt/format.h>

#include "cli/text/json_writer.hpp"
#include "cli/text/sensitivity_text.hpp"

namespace counterpoise {
namespace {

std::string array_of(const std::vector<std::string>& objects) {
  return fmt::format("[{}]", fmt::join(objects, ",\n"));
}

void add_estimate(JsonObject& object, const std::string& name, const Estimate* estimate) {
  object.add(name, estimate == nullptr ? Value{} : Value{estimate->value});
  object.add(name + "_low", estimate == nullptr ? Value{} : Value{estimate->low});
  object.add(name + "_high", estimate == nullptr ? Value{} : Value{estimate->high});
}

void add_morris(JsonObject& object, const MorrisEffect& effect, bool known) {
  object.add("mu", known ? Value{effect.mu} : Value{});
  add_estimate(object, "mu_star", known ? &effect.mu_star : nullptr);
  object.add("sigma", known ? Value{effect.sigma} : Value{});
}

void add_bar(JsonObject& object, const Variable& variable, const StudyFactor& factor,
             const TornadoBar& bar) {
  const auto add_end = [&](const std::string& name, const TornadoEnd& end, bool placed) {
    object.add(name, end.known ? Value{end.value} : Value{});
    object.add(name + "_at", placed ? value_at(variable, end.at) : Value{});
  };
  const bool catalogue = variable.kind == VariableKind::catalogue;
  add_end("tornado_low", bar.low, bar.low.known || !catalogue);
  add_end("tornado_high", bar.high, bar.high.known || !catalogue);
  object.add("tornado_centre_at", value_at(variable, factor.centre));
  object.add("tornado_swing", bar.low.known || bar.high.known ? Value{bar.swing} : Value{});
}

std::string variable_json(const Study& study, const SensitivityPlan& plan,
                          const ObjectiveSensitivity& of, std::size_t factor) {
  const StudyFactor& own = plan.factors[factor];
  const Variable& variable = study.variables[own.variable];
  JsonObject object;
  object.add("variable", Value{variable.name});
  object.add("unit", own.unit.empty() ? Value{} : Value{own.unit});
  const bool indices = of.sobol.none == NoIndices::there_are;
  add_estimate(object, "first", indices ? &of.sobol.first[factor] : nullptr);
  add_estimate(object, "total", indices ? &of.sobol.total[factor] : nullptr);
  add_morris(object, of.morris[factor], of.morris[factor].known(plan.trajectories));
  for (const TornadoBar& bar : of.tornado)
    if (bar.factor == factor) add_bar(object, variable, own, bar);
  return object.text();
}

std::string objective_json(const Study& study, const SensitivityPlan& plan,
                           const MotionSensitivity& motion, const ObjectiveSensitivity& of) {
  JsonObject object;
  object.add("objective", Value{study.objectives[of.objective].name});
  const std::string why = why_no_indices(motion, of);
  object.add("no_indices", why.empty() ? Value{} : Value{why});
  object.add("mean", motion.computable > 0 ? Value{of.sobol.mean} : Value{});
  object.add("variance", motion.computable > 0 ? Value{of.sobol.variance} : Value{});
  add_estimate(object, "first_sum", why.empty() ? &of.sobol.first_sum : nullptr);
  object.add("centre", of.centre.known ? Value{of.centre.value} : Value{});
  std::vector<std::string> variables;
  for (std::size_t i = 0; i < plan.factors.size(); ++i)
    variables.push_back(variable_json(study, plan, of, i));
  object.add_raw("variables", array_of(variables));
  return object.text();
}

}  // namespace

std::string to_json(const Study& study, const SensitivityPlan& plan, const Sensitivity& result) {
  std::vector<std::string> motions;
  for (const MotionSensitivity& motion : result.motions) {
    JsonObject object;
    object.add("motion", motion.motion.empty() ? Value{} : Value{motion.motion});
    object.add("designs", Value{motion.designs});
    object.add("computable_share", Value{motion.computable_share()});
    object.add("feasible_share",
               Value{static_cast<double>(motion.within) / static_cast<double>(motion.designs)});
    object.add("reason", motion.reason.empty() ? Value{} : Value{motion.reason});
    std::vector<std::string> objectives;
    for (const ObjectiveSensitivity& of : motion.objectives)
      objectives.push_back(objective_json(study, plan, motion, of));
    object.add_raw("objectives", array_of(objectives));
    motions.push_back(object.text());
  }
  JsonObject object;
  object.add("study", Value{study.name}).add("samples", Value{plan.base_samples});
  object.add("trajectories", Value{plan.trajectories});
  object.add("evaluations", Value{plan.evaluations()});
  object.add_raw("motions", array_of(motions));
  return object.text();
}

}  // namespace counterpoise
