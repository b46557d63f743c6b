#include "optimizer/convex/least_squares.hpp"

#include <Eigen/Core>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "optimizer/convex/linear_program.hpp"
#include "optimizer/convex/norm_cuts.hpp"
#include "optimizer/convex/scaled_problem.hpp"
#include "optimizer/convex/tolerances.hpp"
#include "optimizer/interruption.hpp"

namespace counterpoise {

/// The problem of minimising |slopes * u + constant| under rows normals.row(i) * u >= sides[i].
struct LimitedSquares {
  Eigen::MatrixXd slopes;
  Eigen::VectorXd constant;
  Eigen::MatrixXd normals;
  Eigen::VectorXd sides;
  std::vector<bool> equal;  // rows that hold with equality, and whose multiplier has no sign
};

struct SquaresOptimum {
  Eigen::VectorXd u;
  Eigen::VectorXd residual;  // slopes * u + constant
  /// A vector y near the unit vector of the residual, with
  ///   slopes' y = sum of multipliers * normals,
  /// to rounding, however small the residual is. It is zero where the residual is.
  Eigen::VectorXd direction;
  Eigen::VectorXd multipliers;  // of the rows, for the direction
};

/// Finds the optimum from a start point that meets the rows. Returns nothing where rounding
/// prevents it from ending. Asks before each step whether to stop.
std::optional<SquaresOptimum> optimum(const LimitedSquares& problem, const Eigen::VectorXd& start,
                                      const Interruption& interruption = {});

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
    rows.equal[first + j] = scaled.lower[j] == scaled.upper[j];
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
    const ConvexLimit& limit = problem.limits[l];
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
    if (problem.norms[term.index].kind != NormKind::l2) return false;
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

namespace {

using Eigen::Index;
using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

/// One run of the method. The rows met with equality ("tight") stay linearly independent.
class ActiveSet {
 public:
  ActiveSet(const LimitedSquares& problem, const Vector& start) : problem_(problem), u_(start) {
    for (Index i = 0; i < problem.sides.size(); ++i) {
      if (problem.equal[i] && is_independent(i)) tight_.push_back(i);
    }
  }

  std::optional<SquaresOptimum> run(const Interruption& interruption) {
    const Index patience = 20 + 4 * (u_.size() + problem_.sides.size());
    for (Index step = 0; step < 4 * patience; ++step) {
      interruption.poll();
      solve_on_tight_rows();
      if (move()) continue;
      const std::optional<std::size_t> leaving = leaving_row(step > patience);
      if (!leaving) return result();
      tight_.erase(tight_.begin() + static_cast<std::ptrdiff_t>(*leaving));
    }
    return std::nullopt;
  }

 private:
  [[nodiscard]] Matrix tight_normals() const {  // as columns
    Matrix normals(u_.size(), static_cast<Index>(tight_.size()));
    for (std::size_t i = 0; i < tight_.size(); ++i) {
      normals.col(static_cast<Index>(i)) = problem_.normals.row(tight_[i]).transpose();
    }
    return normals;
  }

  /// Directions along all tight rows, as orthonormal columns.
  [[nodiscard]] Matrix free_directions() const {
    const auto count = static_cast<Index>(tight_.size());
    if (count == 0) return Matrix::Identity(u_.size(), u_.size());
    const Eigen::HouseholderQR<Matrix> qr(tight_normals());
    const Matrix q = qr.householderQ();
    return q.rightCols(u_.size() - count);
  }

  [[nodiscard]] bool is_independent(Index row) const {
    const Vector normal = problem_.normals.row(row).transpose();
    const Matrix free = free_directions();
    return free.cols() > 0 &&
           (free.transpose() * normal).norm() > ConvexTolerances::rounding * normal.norm();
  }

  /// The step from u to the least squares along the tight rows.
  void solve_on_tight_rows() {
    free_ = free_directions();
    residual_ = problem_.slopes * u_ + problem_.constant;
    step_ = Vector::Zero(u_.size());
    if (free_.cols() == 0 || residual_.size() == 0) return;
    along_.compute(problem_.slopes * free_);
    step_ = free_ * along_.solve(-residual_);
  }

  /// Goes as far as the rows let it; false where u stays as it is.
  bool move() {
    const Vector change = problem_.slopes * step_;
    const double terms =
        (problem_.slopes.cwiseAbs() * u_.cwiseAbs()).norm() + problem_.constant.norm();
    if (change.norm() <= ConvexTolerances::rounding * terms) {
      if (polished_) return false;
      polished_ = true;
    }
    double part = 1.0;
    Index blocking = -1;
    for (Index i = 0; i < problem_.sides.size(); ++i) {
      if (std::find(tight_.begin(), tight_.end(), i) != tight_.end()) continue;
      const double slope = problem_.normals.row(i).dot(step_);
      if (!(slope < -ConvexTolerances::rounding * problem_.normals.row(i).norm() * step_.norm()))
        continue;
      const double room = problem_.normals.row(i).dot(u_) - problem_.sides[i];
      const double reach = std::max(0.0, room) / -slope;
      if (reach < part) {
        part = reach;
        blocking = i;
      }
    }
    u_ += part * step_;
    if (blocking >= 0) {
      tight_.push_back(blocking);
      polished_ = false;
    }
    return true;
  }

  /// The unit vector of the residual without the components along the free directions, which are
  /// rounding.
  [[nodiscard]] Vector direction() const {
    const double length = residual_.stableNorm();
    if (!(length > 0.0)) return Vector::Zero(residual_.size());
    Vector y = residual_ / length;
    if (free_.cols() > 0) y -= problem_.slopes * (free_ * along_.solve(y));
    return y;
  }

  [[nodiscard]] Vector multipliers_of(const Vector& y) const {
    if (tight_.empty()) return {};
    return tight_normals().householderQr().solve(problem_.slopes.transpose() * y);
  }

  /// A tight row whose multiplier is negative: the most negative one, or the first where steps of
  /// length 0 could go round in circles.
  std::optional<std::size_t> leaving_row(bool first) {
    polished_ = false;
    const Vector y = direction();
    const Vector multipliers = multipliers_of(y);
    const double terms = problem_.slopes.size() > 0 ? problem_.slopes.cwiseAbs().maxCoeff() : 0.0;
    std::optional<std::size_t> found;
    double worst = -ConvexTolerances::rounding * terms;
    Index lowest = problem_.sides.size();
    for (std::size_t i = 0; i < tight_.size(); ++i) {
      if (problem_.equal[tight_[i]]) continue;
      const double scaled =
          multipliers[static_cast<Index>(i)] * problem_.normals.row(tight_[i]).norm();
      if (scaled >= (first ? -ConvexTolerances::rounding * terms : worst)) continue;
      if (first && tight_[i] > lowest) continue;
      lowest = tight_[i];
      worst = scaled;
      found = i;
    }
    return found;
  }

  [[nodiscard]] SquaresOptimum result() const {
    const Vector y = direction();
    const Vector of_tight = multipliers_of(y);
    SquaresOptimum optimum{u_, residual_, y, Vector::Zero(problem_.sides.size())};
    for (std::size_t i = 0; i < tight_.size(); ++i) {
      optimum.multipliers[tight_[i]] = of_tight[static_cast<Index>(i)];
    }
    return optimum;
  }

  const LimitedSquares& problem_;
  Vector u_;
  std::vector<Index> tight_;
  Matrix free_;
  Eigen::CompleteOrthogonalDecomposition<Matrix> along_;  // of slopes * free
  Vector residual_, step_;
  bool polished_ = false;  // a step of rounding's size was taken since the tight rows changed
};

}  // namespace

std::optional<SquaresOptimum> optimum(const LimitedSquares& problem, const Vector& start,
                                      const Interruption& interruption) {
  return ActiveSet(problem, start).run(interruption);
}

}  // namespace counterpoise
