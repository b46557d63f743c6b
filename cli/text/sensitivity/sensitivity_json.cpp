#include "cli/text/json.hpp"
#include "cli/text/sensitivity/sensitivity_text.hpp"

namespace counterpoise {
namespace {

void add_estimate(Json& object, const std::string& name, bool known, const Estimate& estimate) {
  object[name] = if_known(known, estimate.value);
  object[name + "_low"] = if_known(known, estimate.low);
  object[name + "_high"] = if_known(known, estimate.high);
}

void add_morris(Json& object, const MorrisEffect& effect, bool known) {
  object["mu"] = if_known(known, effect.mu);
  add_estimate(object, "mu_star", known, effect.mu_star);
  object["sigma"] = if_known(known, effect.sigma);
}

void add_bar(Json& object, const Variable& variable, const StudyFactor& factor,
             const TornadoBar& bar) {
  const auto add_end = [&](const std::string& name, const TornadoEnd& end) {
    const bool placed = end.known || variable.kind != VariableKind::catalogue;
    object[name] = if_known(end.known, end.value);
    object[name + "_at"] = placed ? json_of(value_at(variable, end.at)) : Json();
  };
  add_end("tornado_low", bar.low);
  add_end("tornado_high", bar.high);
  object["tornado_centre_at"] = json_of(value_at(variable, factor.centre));
  object["tornado_swing"] = if_known(bar.low.known || bar.high.known, bar.swing);
}

Json variable_json(const Study& study, const SensitivityPlan& plan, const ObjectiveSensitivity& of,
                   std::size_t factor) {
  const StudyFactor& own = plan.factors[factor];
  const Variable& variable = study.variables[own.variable];
  Json object = {{"variable", variable.name}, {"unit", text_or_null(own.unit)}};
  const bool indices = of.sobol.none == NoIndices::there_are;
  add_estimate(object, "first", indices, indices ? of.sobol.first[factor] : Estimate());
  add_estimate(object, "total", indices, indices ? of.sobol.total[factor] : Estimate());
  add_morris(object, of.morris[factor], of.morris[factor].known(plan.trajectories));
  for (const TornadoBar& bar : of.tornado)
    if (bar.factor == factor) add_bar(object, variable, own, bar);
  return object;
}

Json objective_json(const Study& study, const SensitivityPlan& plan,
                    const MotionSensitivity& motion, const ObjectiveSensitivity& of) {
  const std::string why = why_no_indices(motion, of);
  Json object = {{"objective", study.objectives[of.objective].name},
                 {"no_indices", text_or_null(why)},
                 {"mean", if_known(motion.computable > 0, of.sobol.mean)},
                 {"variance", if_known(motion.computable > 0, of.sobol.variance)}};
  add_estimate(object, "first_sum", why.empty(), of.sobol.first_sum);
  object["centre"] = if_known(of.centre.known, of.centre.value);
  Json variables = Json::array();
  for (std::size_t i = 0; i < plan.factors.size(); ++i)
    variables.push_back(variable_json(study, plan, of, i));
  object["variables"] = variables;
  return object;
}

}  // namespace

Json json_of(const Study& study, const SensitivityPlan& plan, const Sensitivity& result) {
  Json motions = Json::array();
  for (const MotionSensitivity& motion : result.motions) {
    Json objectives = Json::array();
    for (const ObjectiveSensitivity& of : motion.objectives)
      objectives.push_back(objective_json(study, plan, motion, of));
    motions.push_back({{"motion", text_or_null(motion.motion)},
                       {"designs", motion.designs},
                       {"computable_share", motion.computable_share()},
                       {"feasible_share",
                        static_cast<double>(motion.within) / static_cast<double>(motion.designs)},
                       {"reason", text_or_null(motion.reason)},
                       {"objectives", objectives}});
  }
  return {{"study", study.name},
          {"samples", plan.base_samples},
          {"trajectories", plan.trajectories},
          {"evaluations", plan.evaluations()},
          {"motions", motions}};
}

}  // namespace counterpoise
