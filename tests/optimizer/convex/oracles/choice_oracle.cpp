#include "tests/optimizer/convex/oracles/choice_oracle.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace counterpoise::testing {
namespace {

double norm_at(const ConvexProblem& problem, const SeriesNorm& norm, const std::vector<double>& x) {
  double largest = 0.0, sum = 0.0, squares = 0.0;
  for (const SeriesNorm::Part& part : norm.parts) {
    const AffineSeries& series = problem.series[static_cast<std::size_t>(part.series)];
    for (std::size_t k = 0; k < series.constant.size(); ++k) {
      double number = series.constant[k];
      for (const AffineSeries::Column& column : series.columns)
        number += column.coefficients[k] * x[static_cast<std::size_t>(column.variable)];
      number = std::abs(number) * (part.weights.empty() ? 1.0 : part.weights[k]);
      largest = std::max(largest, number);
      sum += number;
      squares += number * number;
    }
  }
  return norm.kind == NormKind::max  ? largest
         : norm.kind == NormKind::l1 ? sum
                                     : std::sqrt(squares);
}

double objective_at(const ConvexProblem& problem, const std::vector<double>& x) {
  double value = -1e300;
  for (const ConvexSum& sum : problem.objective) value = std::max(value, sum_at(problem, sum, x));
  return value;
}

std::size_t unknowns_chosen(const ChoiceProblem& problem) {
  std::size_t count = 0;
  for (const ChoiceGroup& group : problem.groups) count += group.unknowns.size();
  return count;
}

/// The best value of one combination, or nothing where a limit is broken: loops over samples where
/// all unknowns are chosen, the rest sized under fixed bounds where not.
std::optional<Combination> tried(const ChoiceProblem& problem, const std::vector<int>& options) {
  ConvexProblem fixed = problem.convex;
  for (std::size_t g = 0; g < options.size(); ++g) {
    const ChoiceGroup& group = problem.groups[g];
    for (std::size_t i = 0; i < group.unknowns.size(); ++i) {
      const auto at = static_cast<std::size_t>(group.unknowns[i]);
      fixed.lower[at] = fixed.upper[at] = group.options[static_cast<std::size_t>(options[g])][i];
    }
  }
  if (unknowns_chosen(problem) < fixed.lower.size()) {
    const ConvexSolution solution = solve(fixed);
    if (solution.status == ConvexSolution::Status::infeasible) return std::nullopt;
    return Combination{options, solution.x, solution.value};
  }
  for (const ConvexLimit& limit : fixed.limits)
    if (sum_at(fixed, limit.sum, fixed.lower) >
        limit.bound + choice_rounding * std::abs(limit.bound))
      return std::nullopt;
  return Combination{options, fixed.lower, objective_at(fixed, fixed.lower)};
}

}  // namespace

double sum_at(const ConvexProblem& problem, const ConvexSum& sum, const std::vector<double>& x) {
  double value = sum.constant;
  for (const ConvexSum::Term& term : sum.norms)
    value += term.weight * norm_at(problem, problem.norms[static_cast<std::size_t>(term.index)], x);
  for (const ConvexSum::Term& term : sum.linear)
    value += term.weight * x[static_cast<std::size_t>(term.index)];
  return value;
}

std::vector<Combination> all_combinations(const ChoiceProblem& problem) {
  std::vector<Combination> all;
  std::vector<int> options(problem.groups.size(), 0);
  for (std::size_t g = 0; g < options.size();) {
    if (auto found = tried(problem, options)) all.push_back(*found);
    for (g = 0; g < options.size(); ++g) {
      if (++options[g] < static_cast<int>(problem.groups[g].options.size())) break;
      options[g] = 0;
    }
  }
  std::sort(all.begin(), all.end(), [](const Combination& a, const Combination& b) {
    return a.value != b.value ? a.value < b.value : a.options < b.options;
  });
  return all;
}

std::vector<Combination> near_the_best(const std::vector<Combination>& all, double within) {
  std::vector<Combination> near;
  for (const Combination& one : all)
    if (one.value <= all.front().value + (within + choice_rounding) * std::abs(all.front().value))
      near.push_back(one);
  return near;
}

}  // namespace counterpoise::testing
