#include "optimizer/convex/problem/allowed_gap.hpp"

#include <algorithm>
#include <cmath>

namespace counterpoise {
namespace {

constexpr double worth_having = 1e-6;        // relative
constexpr double rounding_of_reach = 1e-14;  // relative

double reach_of(const ConvexProblem& problem, const ConvexSum& sum) {
  double reach = 0.0;
  for (const ConvexSum::Term& term : sum.linear) {
    const auto j = static_cast<std::size_t>(term.index);
    const double end = std::max(std::abs(problem.lower[j]), std::abs(problem.upper[j]));
    reach += std::abs(term.weight) * end;
  }
  return reach;
}

}  // namespace

bool agree(double a, double b, double size) {
  return std::abs(a - b) <= agreement * std::max({std::abs(a), std::abs(b), size});
}

double size_without_springs(const ConvexProblem& problem) {
  const std::vector<double> nothing(problem.lower.size(), 0.0);
  double size = 0.0;
  for (const ConvexSum& piece : problem.objective)
    size = std::max(size, value_of(problem, piece, nothing));
  return size;
}

double allowed_gap(const ConvexProblem& problem, double value) {
  double reach = 0.0;
  for (const ConvexSum& piece : problem.objective)
    reach = std::max(reach, reach_of(problem, piece));
  return worth_having * std::abs(value) + agreement * size_without_springs(problem) +
         rounding_of_reach * reach;
}

double size_of_terms(ConvexProblem problem, std::vector<double> x) {
  if (x.size() != problem.lower.size()) return 0.0;
  const auto make_positive = [](std::vector<double>& numbers) {
    for (double& number : numbers) number = std::abs(number);
  };
  make_positive(x);
  for (AffineSeries& series : problem.series) {
    make_positive(series.constant);
    for (AffineSeries::Column& column : series.columns) make_positive(column.coefficients);
  }
  for (ConvexSum& sum : problem.objective) {
    sum.constant = std::abs(sum.constant);
    for (ConvexSum::Term& term : sum.linear) term.weight = std::abs(term.weight);
  }
  return objective_of(problem, x);
}

}  // namespace counterpoise
