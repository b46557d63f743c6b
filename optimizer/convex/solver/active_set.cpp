#include "optimizer/convex/solver/active_set.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>

namespace counterpoise {
namespace {

using Eigen::Index;
using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

constexpr double rounding = 1e-13;  // of numbers that are compared with 0, relative to their terms

/// One run of the method. The rows met with equality ("tight") stay linearly independent.
class ActiveSet {
 public:
  ActiveSet(const LimitedSquares& problem, const Vector& start) : problem_(problem), u_(start) {
    for (Index i = 0; i < problem.sides.size(); ++i) {
      if (problem.equal[static_cast<std::size_t>(i)] && is_independent(i)) tight_.push_back(i);
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
    return free.cols() > 0 && (free.transpose() * normal).norm() > rounding * normal.norm();
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
    if (change.norm() <= rounding * terms) {
      if (polished_) return false;
      polished_ = true;
    }
    double part = 1.0;
    Index blocking = -1;
    for (Index i = 0; i < problem_.sides.size(); ++i) {
      if (std::find(tight_.begin(), tight_.end(), i) != tight_.end()) continue;
      const double slope = problem_.normals.row(i).dot(step_);
      if (!(slope < -rounding * problem_.normals.row(i).norm() * step_.norm())) continue;
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
    double worst = -rounding * terms;
    Index lowest = problem_.sides.size();
    for (std::size_t i = 0; i < tight_.size(); ++i) {
      if (problem_.equal[static_cast<std::size_t>(tight_[i])]) continue;
      const double scaled =
          multipliers[static_cast<Index>(i)] * problem_.normals.row(tight_[i]).norm();
      if (scaled >= (first ? -rounding * terms : worst)) continue;
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
