#include "optimizer/convex/solver/elastic.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace counterpoise {
namespace {

/// The size of the terms at x; where all are 0, the largest size that the unknowns can give them.
double scale_of(const ConvexProblem& problem, const ConvexLimit& limit,
                const std::vector<double>& x) {
  double size = std::abs(limit.sum.constant - limit.bound);
  for (const ConvexSum::Term& term : limit.sum.norms) {
    size += term.weight * value_of(problem, problem.norms[static_cast<std::size_t>(term.index)], x);
  }
  double reach = 0.0;
  for (const ConvexSum::Term& term : limit.sum.linear) {
    const auto j = static_cast<std::size_t>(term.index);
    size += std::abs(term.weight * x[j]);
    reach += std::abs(term.weight) * (problem.upper[j] - problem.lower[j]);
  }
  if (size > 0.0) return size;
  return reach > 0.0 ? reach : 1.0;
}

}  // namespace

std::vector<double> limit_scales(const ConvexProblem& problem) {
  std::vector<double> x(problem.lower.size());
  for (std::size_t j = 0; j < x.size(); ++j) {
    x[j] = std::clamp(0.0, problem.lower[j], problem.upper[j]);
  }
  std::vector<double> scales;
  scales.reserve(problem.limits.size());
  for (const ConvexLimit& limit : problem.limits) scales.push_back(scale_of(problem, limit, x));
  return scales;
}

ConvexProblem elastic(const ConvexProblem& problem, const std::vector<double>& scales,
                      const std::vector<int>& chosen) {
  ConvexProblem result{problem.lower, problem.upper, problem.series, problem.norms, {}, {}};
  for (const int index : chosen) {
    const ConvexLimit& limit = problem.limits[static_cast<std::size_t>(index)];
    const double scale = scales[static_cast<std::size_t>(index)];
    ConvexSum excess = limit.sum;
    excess.constant = (limit.sum.constant - limit.bound) / scale;
    for (ConvexSum::Term& term : excess.norms) term.weight /= scale;
    for (ConvexSum::Term& term : excess.linear) term.weight /= scale;
    result.objective.push_back(std::move(excess));
  }
  return result;
}

Certificate conflict_proof(const ConvexProblem& problem, const std::vector<double>& scales,
                           const std::vector<int>& chosen, const Certificate& of_elastic) {
  Certificate proof;
  proof.pieces.assign(problem.objective.size(), 0.0);
  proof.limits.assign(problem.limits.size(), 0.0);
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    const auto limit = static_cast<std::size_t>(chosen[i]);
    proof.limits[limit] = of_elastic.pieces[i] / scales[limit];
  }
  proof.witnesses = of_elastic.witnesses;
  add_up(problem, proof);
  return proof;
}

std::vector<int> all_limits(const ConvexProblem& problem) {
  std::vector<int> all(problem.limits.size());
  std::iota(all.begin(), all.end(), 0);
  return all;
}

}  // namespace counterpoise
