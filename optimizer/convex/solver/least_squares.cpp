#include "optimizer/convex/solver/least_squares.hpp"

#include <algorithm>
#include <cmath>

#include "optimizer/convex/solver/active_set.hpp"
#include "optimizer/convex/solver/linear/linear_program.hpp"
#include "optimizer/convex/solver/reduced_length.hpp"
#include "optimizer/convex/solver/witnesses.hpp"

namespace counterpoise {
namespace {

using Eigen::Index;
using Vector = Eigen::VectorXd;

bool has_norm(const ConvexSum& sum) {
  return std::any_of(sum.norms.begin(), sum.norms.end(),
                     [](const ConvexSum::Term& term) { return term.weight > 0.0; });
}

/// Limits first, then lower and upper bounds; each limit divided by its scale.
struct Rows {
  Eigen::MatrixXd normals;
  Vector sides;
  std::vector<bool> equal;
  std::vector<double> limit_scales;
};

/// An unknown whose bounds are equal has one row that counts as an equation.
void add_bounds(const ScaledProblem& scaled, Index first, Rows& rows) {
  const Index unknowns = scaled.unit.size();
  for (Index j = 0; j < unknowns; ++j) {
    rows.normals(first + j, j) = 1.0;
    rows.sides[first + j] = scaled.lower[j];
    rows.normals(first + unknowns + j, j) = -1.0;
    rows.sides[first + unknowns + j] = -scaled.upper[j];
    rows.equal[static_cast<std::size_t>(first + j)] = scaled.lower[j] == scaled.upper[j];
  }
}

Rows rows_of(const ConvexProblem& problem, const ScaledProblem& scaled) {
  const auto limits = static_cast<Index>(problem.limits.size());
  const Index unknowns = scaled.unit.size();
  const Index count = limits + 2 * unknowns;
  Rows rows{Eigen::MatrixXd::Zero(count, unknowns),
            Vector::Zero(count),
            std::vector<bool>(static_cast<std::size_t>(count), false),
            {}};
  for (Index l = 0; l < limits; ++l) {
    const ConvexLimit& limit = problem.limits[static_cast<std::size_t>(l)];
    double side = limit.sum.constant - limit.bound;
    for (const ConvexSum::Term& term : limit.sum.linear) {
      rows.normals(l, term.index) -= term.weight * scaled.unit[term.index];
      side += term.weight * scaled.centre[term.index];
    }
    const double size = rows.normals.row(l).norm();
    rows.limit_scales.push_back(size > 0.0 ? size : 1.0);
    rows.normals.row(l) /= rows.limit_scales.back();
    rows.sides[l] = side / rows.limit_scales.back();
  }
  add_bounds(scaled, limits, rows);
  return rows;
}

/// A point that meets all rows: the centre, or what a linear program without cost finds.
std::optional<Vector> feasible_point(const ScaledProblem& scaled, const Rows& rows) {
  const Index unknowns = scaled.unit.size();
  const auto limits = static_cast<Index>(rows.limit_scales.size());
  if ((rows.sides.head(limits).array() <= 0.0).all()) return Vector::Zero(unknowns);
  LinearColumns columns;
  for (Index j = 0; j < unknowns; ++j) columns.add(scaled.lower[j], scaled.upper[j], 0.0);
  LinearProgram program(std::move(columns));
  for (Index l = 0; l < limits; ++l) {
    program.add_row(rows.sides[l]);
    for (Index j = 0; j < unknowns; ++j) program.entry(static_cast<int>(j), rows.normals(l, j));
  }
  if (program.solve() != LinearProgram::Outcome::optimal) return std::nullopt;
  return Vector(program.x().cwiseMax(scaled.lower).cwiseMin(scaled.upper));
}

/// The certificate. With `part` 0 it proves only that a length is not negative.
Certificate certificate_of(const ConvexProblem& problem, const Rows& rows,
                           const ReducedLength& reduced, const SquaresOptimum& optimum,
                           double scale, double part) {
  const ConvexSum::Term* term = nullptr;
  for (const ConvexSum::Term& candidate : problem.objective.front().norms) {
    if (candidate.weight > 0.0) term = &candidate;
  }
  Certificate result;
  result.pieces = {1.0};
  for (std::size_t l = 0; l < problem.limits.size(); ++l) {
    const double multiplier = std::max(0.0, optimum.multipliers[static_cast<Index>(l)]);
    result.limits.push_back(part * term->weight * scale * multiplier / rows.limit_scales[l]);
  }
  const double length = std::max(1.0, optimum.direction.stableNorm());
  const Vector y = reduced.samples(optimum.direction * (part * term->weight / length));
  add_witnesses(problem, static_cast<std::size_t>(term->index), y, result);
  add_up(problem, result);
  return result;
}

}  // namespace

bool is_least_squares(const ConvexProblem& problem) {
  if (problem.objective.size() != 1) return false;
  const ConvexSum& sum = problem.objective.front();
  int norms = 0;
  for (const ConvexSum::Term& term : sum.norms) {
    if (!(term.weight > 0.0)) continue;
    ++norms;
    if (problem.norms[static_cast<std::size_t>(term.index)].kind != NormKind::l2) return false;
  }
  return norms == 1 &&
         std::all_of(sum.linear.begin(), sum.linear.end(),
                     [](const ConvexSum::Term& term) { return term.weight == 0.0; }) &&
         std::none_of(problem.limits.begin(), problem.limits.end(),
                      [](const ConvexLimit& limit) { return has_norm(limit.sum); });
}

std::optional<ConvexSolution> least_squares(const ConvexProblem& problem,
                                            const ConvexOptions& options) {
  const ScaledProblem scaled(problem);
  const auto used = std::find_if(scaled.norms.begin(), scaled.norms.end(),
                                 [](const ScaledNorm& norm) { return norm.used; });
  const ReducedLength reduced(*used, scaled.unit.size());
  const Rows rows = rows_of(problem, scaled);
  const std::optional<Vector> start = feasible_point(scaled, rows);
  if (!start) return std::nullopt;
  const std::optional<SquaresOptimum> best =
      optimum({reduced.slopes(), reduced.constant(), rows.normals, rows.sides, rows.equal}, *start,
              options.interruption);
  if (!best) return std::nullopt;
  ConvexSolution solution;
  solution.x = scaled.unscaled(problem, best->u);
  solution.value = objective_of(problem, solution.x);
  solution.certificate = certificate_of(problem, rows, reduced, *best, used->scale, 1.0);
  Certificate trivial = certificate_of(problem, rows, reduced, *best, used->scale, 0.0);
  if (trivial.bound >= solution.certificate.bound) solution.certificate = std::move(trivial);
  solution.gap = solution.value - solution.certificate.bound;
  solution.rounds = 1;
  const double allowed = options.gap * std::abs(solution.value) + scaled.rounding * scaled.scale;
  if (solution.gap <= allowed) solution.status = ConvexSolution::Status::optimal;
  return solution;
}

}  // namespace counterpoise
