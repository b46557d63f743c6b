#include "optimizer/convex/solve.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "optimizer/convex/conflict.hpp"
#include "optimizer/convex/cutting_planes.hpp"
#include "optimizer/convex/independent_parts.hpp"
#include "optimizer/convex/least_squares.hpp"
#include "optimizer/convex/problem.hpp"
#include "optimizer/convex/tolerances.hpp"

namespace counterpoise {
namespace {

using Status = ConvexSolution::Status;

constexpr int halvings = 60;  // of the way from a feasible point to one that is not

double largest_violation(const ConvexProblem& problem, const std::vector<double>& x) {
  double largest = -infinity;
  for (const ConvexLimit& limit : problem.limits) {
    largest = std::max(largest, value_of(problem, limit.sum, x) - limit.bound);
  }
  return largest;
}

std::vector<double> between(const std::vector<double>& from, const std::vector<double>& to,
                            double part) {
  std::vector<double> x = from;
  for (std::size_t j = 0; j < x.size(); ++j) x[j] += part * (to[j] - from[j]);
  return x;
}

/// For an answer whose x breaks limits a little: the last feasible point on the way to it from one
/// that meets them all.
void make_feasible(const ConvexProblem& problem, const std::vector<double>& inside,
                   const ConvexOptions& options, ConvexSolution& solution) {
  double feasible = 0.0;
  double broken = 1.0;
  for (int i = 0; i < halvings; ++i) {
    options.interruption.poll();
    const double middle = 0.5 * (feasible + broken);
    const bool is_feasible = largest_violation(problem, between(inside, solution.x, middle)) <= 0.0;
    (is_feasible ? feasible : broken) = middle;
  }
  solution.x = between(inside, solution.x, feasible);
  solution.value = objective_of(problem, solution.x);
  solution.gap = solution.value - solution.certificate.bound;
}

/// For limits that are met at one point at most, up to rounding: they are loosened by that
/// rounding.
ConvexSolution solve_relaxed(const ConvexProblem& problem, const std::vector<double>& scales,
                             const ConvexSolution& nearest, const ConvexOptions& options) {
  ConvexSolution solution;
  solution.status = Status::infeasible;
  for (double more = ConvexTolerances::least_slack; more <= ConvexTolerances::limit; more *= 10.0) {
    if (solution.status != Status::infeasible) break;
    const double slack = std::max(0.0, nearest.value) + more;
    ConvexProblem relaxed = problem;
    for (std::size_t l = 0; l < scales.size(); ++l) relaxed.limits[l].bound += slack * scales[l];
    solution = cutting_planes(relaxed, options);
  }
  if (solution.status == Status::infeasible) {
    solution = {Status::open, nearest.x, 0.0, {}, 0.0, nearest.rounds};
    solution.certificate.pieces.assign(problem.objective.size(), 0.0);
    solution.certificate.pieces.front() = 1.0;
    solution.certificate.limits.assign(problem.limits.size(), 0.0);
  }
  add_up(problem, solution.certificate);
  solution.value = objective_of(problem, solution.x);
  solution.gap = solution.value - solution.certificate.bound;
  return solution;
}

/// After the linear program found no point: the proof, or the answer where limits are met after
/// all.
ConvexSolution explain(const ConvexProblem& problem, const ConvexOptions& options) {
  const std::vector<double> scales = limit_scales(problem);
  const std::vector<int> all = all_limits(problem);
  const ConvexSolution nearest = cutting_planes(elastic(problem, scales, all), options);
  if (!(nearest.certificate.bound > ConvexTolerances::limit)) {
    return solve_relaxed(problem, scales, nearest, options);
  }
  ConvexSolution solution;
  solution.status = Status::infeasible;
  solution.certificate = conflict_proof(problem, scales, all, nearest.certificate);
  solution.rounds = nearest.rounds;
  return solution;
}

ConvexSolution solve_by_cuts(const ConvexProblem& problem, const ConvexOptions& options) {
  ConvexSolution solution = cutting_planes(problem, options);
  if (solution.status != Status::infeasible && !std::isinf(solution.gap)) return solution;
  ConvexOptions proving = options;  // what explains a conflict reads certificates
  proving.proof = true;
  if (solution.status == Status::infeasible) return explain(problem, proving);
  const ConvexProblem excess = elastic(problem, limit_scales(problem), all_limits(problem));
  const ConvexSolution inside = cutting_planes(excess, proving);
  make_feasible(problem, inside.x, options, solution);
  return solution;
}

/// Whether a point is as good as another: it meets every limit as well, and its objective is no
/// larger except for rounding.
bool is_as_good(const ConvexProblem& problem, const std::vector<double>& x,
                const std::vector<double>& as) {
  for (const ConvexLimit& limit : problem.limits) {
    const double before = value_of(problem, limit.sum, as);
    if (value_of(problem, limit.sum, x) > std::max(before, limit.bound)) return false;
  }
  const double before = objective_of(problem, as);
  return objective_of(problem, x) <= before + ConvexTolerances::rounding * std::abs(before);
}

/// Moves unknowns that miss a bound by rounding to that bound: all at once, because unknowns that
/// limits tie together may only move together, or else one by one.
void reach_bounds(const ConvexProblem& problem, const ConvexOptions& options,
                  ConvexSolution& solution) {
  const std::vector<double> was = solution.x;
  std::vector<double> moved = was;
  for (std::size_t j = 0; j < was.size(); ++j) {
    const double beside = ConvexTolerances::beside_bound * (problem.upper[j] - problem.lower[j]);
    if (was[j] - problem.lower[j] <= beside) moved[j] = problem.lower[j];
    if (problem.upper[j] - was[j] <= beside) moved[j] = problem.upper[j];
  }
  if (moved == was) return;
  if (is_as_good(problem, moved, was)) {
    solution.x = moved;
  } else {
    for (std::size_t j = 0; j < was.size(); ++j) {
      options.interruption.poll();
      std::vector<double> one = solution.x;
      one[j] = moved[j];
      if (moved[j] != was[j] && is_as_good(problem, one, solution.x)) solution.x = std::move(one);
    }
  }
  solution.value = objective_of(problem, solution.x);
  solution.gap = solution.value - solution.certificate.bound;
}

ConvexSolution solve_either_way(const ConvexProblem& problem, const ConvexOptions& options) {
  std::optional<ConvexSolution> squares;
  if (is_least_squares(problem)) squares = least_squares(problem, options);
  if (squares && squares->status == Status::optimal) return *squares;
  ConvexSolution solution = solve_by_cuts(problem, options);
  const bool is_better = squares && solution.status == Status::open && squares->gap < solution.gap;
  return is_better ? *squares : solution;
}

/// Whether a point meets the limits of a part, except for rounding.
bool meets_limits(const ConvexProblem& problem, const IndependentPart& part,
                  const std::vector<double>& x) {
  return std::all_of(part.limits.begin(), part.limits.end(), [&](int l) {
    const ConvexLimit& limit = problem.limits[l];
    return value_of(problem, limit.sum, x) - limit.bound <=
           ConvexTolerances::limit * std::max(std::abs(limit.bound), std::abs(limit.sum.constant));
  });
}

ConvexSolution solve_part(const ConvexProblem& problem, const IndependentPart& part,
                          ConvexOptions options) {
  const std::vector<double> whole_start = std::exchange(options.start, {});
  if (!whole_start.empty())
    for (const int j : part.unknowns) options.start.push_back(whole_start[j]);
  ConvexSolution solution = solve_either_way(part.problem_of(problem), options);
  if (!solution.certificate.pieces.empty())  // else it is a bound alone
    solution.certificate = part.certificate_of(problem, std::move(solution.certificate));
  return solution;
}

/// Solves one part after the other. Unknowns without any effect on the objective stay where the
/// caller starts, if that meets their limits.
ConvexSolution solve_parts(const ConvexProblem& problem, const std::vector<IndependentPart>& parts,
                           const ConvexOptions& options) {
  ConvexSolution whole;
  whole.value = whole.certificate.bound = -infinity;
  whole.x = options.start.empty() ? std::vector<double>(problem.lower.size()) : options.start;
  for (std::size_t j = 0; j < whole.x.size(); ++j)
    whole.x[j] = std::clamp(whole.x[j], problem.lower[j], problem.upper[j]);
  for (const IndependentPart& part : parts) {
    const bool known = part.limits.empty() || !options.start.empty();
    if (part.pieces.empty() && known && meets_limits(problem, part, whole.x)) continue;
    ConvexSolution solved = solve_part(problem, part, options);
    solved.rounds += whole.rounds;
    if (solved.status == Status::infeasible) {
      add_up(problem, solved.certificate);
      return solved;
    }
    whole.rounds = solved.rounds;
    for (std::size_t i = 0; i < solved.x.size(); ++i) whole.x[part.unknowns[i]] = solved.x[i];
    if (part.pieces.empty()) continue;
    if (solved.value > whole.value) {
      whole.value = solved.value;
      whole.status = solved.status;
    }
    if (solved.certificate.bound > whole.certificate.bound)
      whole.certificate = std::move(solved.certificate);
  }
  if (options.proof) add_up(problem, whole.certificate);
  whole.gap = whole.value - whole.certificate.bound;
  return whole;
}

}  // namespace

ConvexSolution solve(const ConvexProblem& problem, const ConvexOptions& options) {
  check(problem);
  const std::vector<IndependentPart> parts = independent_parts(problem);
  ConvexSolution solution =
      parts.size() > 1 ? solve_parts(problem, parts, options) : solve_either_way(problem, options);
  if (!solution.x.empty()) reach_bounds(problem, options, solution);
  return solution;
}

}  // namespace counterpoise
