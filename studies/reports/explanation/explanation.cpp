#include "studies/reports/explanation/explanation.hpp"

#include <algorithm>
#include <cmath>

#include "cases/provenance.hpp"

namespace counterpoise {
namespace {

/// Leaves out limits for which the optimum gives a shadow price.
void leave_out_priced(const std::vector<ShadowPrice>& prices, std::vector<BindingLimit>& binding) {
  std::erase_if(binding, [&](const BindingLimit& limit) {
    return std::any_of(prices.begin(), prices.end(), [&](const ShadowPrice& price) {
      // a shadow price may go with several limits: "min_length of a and min_length of b"; one that
      // has a shadow price in some motion is not without one for being reached in another
      const std::string all = " and " + price.name + " and ";
      const std::string own = " and " + limit.name.substr(0, limit.name.find(" in motion "));
      return all.find(own + " and ") != std::string::npos ||
             all.find(own + " in motion ") != std::string::npos;
    });
  });
}

/// The largest |value| of the case and of the robots it is compared with.
std::vector<double> sizes_of_objectives(const ExplainedCase& of) {
  std::vector<double> sizes(of.outcome->objectives.size(), 0.0);
  for (const CaseOutcome* robot :
       {of.outcome, &of.baselines->baseline, &of.baselines->without_springs})
    for (std::size_t i = 0; robot->computable && i < sizes.size(); ++i)
      sizes[i] = std::max(sizes[i], std::abs(robot->objectives[i]));
  return sizes;
}

}  // namespace

Explanation explain(const Study& study, const ResultsFile& results, const CaseRow& row,
                    const std::vector<double>& point, const CaseOutcome& outcome,
                    CaseEvaluator& evaluator, const std::shared_ptr<const Baselines>& baselines) {
  const std::vector<double> parameters(evaluator.parameters().begin(),
                                       evaluator.parameters().end());
  std::size_t pair = 0;
  if (study.motion_variable >= 0) {
    const auto v = static_cast<std::size_t>(study.motion_variable);
    pair = static_cast<std::size_t>(study.variables[v].motions[static_cast<std::size_t>(point[v])]);
  }
  const ExplainedCase of{point, parameters, &outcome, &baselines->pairs[pair]};
  const std::vector<int> actuators = named_actuators(study);
  const auto motions = compared_motions(study, evaluator, point);

  Explanation explanation;
  explanation.objectives = outcome.objectives;
  explanation.objective_sizes = sizes_of_objectives(of);
  explanation.actuators = critical_instants(motions, actuators);
  explanation.binding = binding_limits(study, motions, of);
  explanation.exact =
      study.search() != nullptr && study.search()->method == SearchMethod::exact_springs;
  explanation.optimum = reading(
      results, [&] { return spring_optimum(study, of, baselines, results.certificate(row.id)); });
  if (explanation.optimum) leave_out_priced(explanation.optimum->limits, explanation.binding);
  explanation.standing = standing_of(study, results, row);
  explanation.side_effects = side_effects(motions, actuators);
  return explanation;
}

}  // namespace counterpoise
