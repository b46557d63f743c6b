#include "cli/text/sensitivity/sensitivity_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "cases/study_units.hpp"
#include "cli/text/sensitivity/tornado_text.hpp"
#include "results/text/printable.hpp"

namespace counterpoise {
namespace {

constexpr double wide_interval = 0.1;     // of a total effect; wider ones are worth a word
constexpr double worth_a_warning = 0.05;  // share of designs that cannot be computed

std::string percent(double share) {
  return fmt::format("{:.3g} %", 100.0 * share);
}

/// -0.000 is 0.000.
double rounded(double value) {
  return std::abs(value) < 0.0005 ? 0.0 : value;
}

std::string interval(const Estimate& estimate) {
  return fmt::format("{:.3f}..{:.3f}", rounded(estimate.low), rounded(estimate.high));
}

std::vector<std::size_t> most_influential_first(const ObjectiveSensitivity& of) {
  std::vector<std::size_t> order(of.morris.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const bool indices = of.sobol.none == NoIndices::there_are;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return indices ? of.sobol.total[a].value > of.sobol.total[b].value
                   : of.morris[a].mu_star.value > of.morris[b].mu_star.value;
  });
  return order;
}

constexpr const char* row_format = "{:<{}} {:>6} {:>13} {:>6} {:>13} {:>6} {:>9} {:>9} {:>9}\n";

std::string row_of(const std::string& name, std::size_t width, const SensitivityPlan& plan,
                   const ObjectiveSensitivity& of, std::size_t factor) {
  std::string first = "-", first_interval = "-", total = "-", total_interval = "-", more = "-";
  if (of.sobol.none == NoIndices::there_are) {
    const Estimate &s = of.sobol.first[factor], &t = of.sobol.total[factor];
    first = fmt::format("{:.3f}", rounded(s.value));
    first_interval = interval(s);
    total = fmt::format("{:.3f}", rounded(t.value));
    total_interval = interval(t);
    more = fmt::format("{:.3f}", rounded(t.value - s.value));
  }
  const MorrisEffect& effect = of.morris[factor];
  const bool known = effect.known(plan.trajectories);
  const auto shown = [&](double value) { return known ? fmt::format("{:.4g}", value) : "-"; };
  return fmt::format(row_format, name, width, first, first_interval, total, total_interval, more,
                     shown(effect.mu_star.value), shown(effect.mu), shown(effect.sigma));
}

std::string indices_table(const Study& study, const SensitivityPlan& plan,
                          const ObjectiveSensitivity& of) {
  std::size_t width = 8;
  for (const StudyFactor& factor : plan.factors)
    width = std::max(width, study.variables[factor.variable].name.size());
  std::string text = fmt::format(row_format, "variable", width, "first", "95 %", "total", "95 %",
                                 "more", "mu*", "mu", "sigma");
  for (std::size_t i : most_influential_first(of))
    text += row_of(study.variables[plan.factors[i].variable].name, width, plan, of, i);
  return text;
}

/// What the sum of first orders says, and whether intervals are wide.
std::string remarks(const SensitivityPlan& plan, const ObjectiveSensitivity& of) {
  const Estimate& sum = of.sobol.first_sum;
  std::string text =
      fmt::format("first orders sum to {:.3f} ({}): what is missing to 1 is interaction\n",
                  rounded(sum.value), interval(sum));
  double widest = 0.0;
  for (const Estimate& total : of.sobol.total) widest = std::max(widest, total.high - total.low);
  if (widest > wide_interval && plan.base_samples < most_samples)
    text += fmt::format(
        "intervals of totals are up to {:.2f} wide: take more samples, e.g. --samples {}\n", widest,
        std::min(4 * plan.base_samples, most_samples));
  return text;
}

std::string objective_text(const Study& study, const SensitivityPlan& plan,
                           const MotionSensitivity& motion, const ObjectiveSensitivity& of) {
  std::string text = fmt::format("\nobjective {}", study.objectives[of.objective].name);
  const std::string unit = unit_of(study, study.objectives[of.objective]);
  const std::string behind = unit.empty() ? unit : fmt::format(" {}", unit);
  if (motion.computable > 0)
    text += fmt::format(": mean {:.6g}{}, standard deviation {:.4g}{}", of.sobol.mean, behind,
                        std::sqrt(of.sobol.variance), behind);
  text += '\n';
  const std::string why = why_no_indices(motion, of);
  if (!why.empty()) text += "no indices: " + why + '\n';
  text += indices_table(study, plan, of);
  if (why.empty()) text += remarks(plan, of);
  return text + tornado_text(study, plan, of);
}

std::string designs_text(const MotionSensitivity& motion) {
  const double refused = 1.0 - motion.computable_share();
  const auto broken = static_cast<double>(motion.computable - motion.within);
  std::string text;
  if (broken > 0.0)
    text += fmt::format("{} of the designs break a limit or constraint; they count like the rest\n",
                        percent(broken / static_cast<double>(motion.designs)));
  if (!motion.reason.empty())
    text +=
        fmt::format("{}{} of the designs cannot be computed and are left out; the first: {}\n",
                    refused > worth_a_warning ? "warning: " : "", percent(refused), motion.reason);
  if (refused > worth_a_warning)
    text +=
        "         what follows speaks of the rest alone, whose variables are no longer "
        "independent\n";
  return text;
}

}  // namespace

std::string why_no_indices(const MotionSensitivity& motion, const ObjectiveSensitivity& objective) {
  switch (objective.sobol.none) {
    case NoIndices::there_are:
      return "";
    case NoIndices::constant:
      return "the objective does not vary";
    case NoIndices::too_few:
      return motion.computable == 0
                 ? "no design can be computed"
                 : fmt::format(
                       "too many designs cannot be computed: only {} of the triples that "
                       "indices rest on are left, {} are needed",
                       percent(objective.sobol.usable), percent(least_usable_share));
  }
  return "";
}

Value value_at(const Variable& variable, double coordinate) {
  const auto level = static_cast<std::size_t>(coordinate);
  if (!variable.numeric()) return Value{variable.labels[level]};
  return Value{variable.discrete() ? variable.values[level] : coordinate};
}

std::string cost_text(const Study& study, const SensitivityPlan& plan, std::int64_t asked) {
  std::string text;
  if (asked != plan.base_samples)
    text += fmt::format("{} base samples instead of {}, the next power of two\n", plan.base_samples,
                        asked);
  const std::size_t motions = plan.motion_levels.size(), variables = plan.factors.size();
  text += fmt::format(
      "{}: {} evaluations{}: {} x ({} + 2) for indices, {} x ({} + 1) for Morris, {} for the "
      "tornado\n",
      printable(study.name), plan.evaluations(),
      motions > 1 ? fmt::format(", {} motions of", motions) : "", plan.base_samples, variables,
      plan.trajectories, variables, plan.tornado_rows);
  return text;
}

std::string to_text(const Study& study, const SensitivityPlan& plan, const Sensitivity& result) {
  std::string text;
  for (const MotionSensitivity& motion : result.motions) {
    if (!text.empty()) text += '\n';
    text += fmt::format("{}{}{}: {} variables, {} base samples\n", printable(study.name),
                        motion.motion.empty() ? "" : ", motion ", motion.motion,
                        plan.factors.size(), plan.base_samples);
    text += designs_text(motion);
    for (const ObjectiveSensitivity& of : motion.objectives)
      text += objective_text(study, plan, motion, of);
  }
  return text;
}

}  // namespace counterpoise
