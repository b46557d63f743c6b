#pragma once

#include <Eigen/Core>
#include <Eigen/QR>

#include "optimizer/convex/solver/scaled_problem.hpp"

namespace counterpoise {

/// The L2 norm of many samples as that of a few numbers z = slopes * u + constant: the samples are
/// multiplied by an orthogonal matrix (QR), after which all but the first few are 0 for every u.
class ReducedLength {
 public:
  /// Has a column for each of the unknowns; columns of those that the norm does not depend on are
  /// 0.
  ReducedLength(const ScaledNorm& norm, Eigen::Index unknowns);

  [[nodiscard]] const Eigen::MatrixXd& slopes() const { return slopes_; }
  [[nodiscard]] const Eigen::VectorXd& constant() const { return constant_; }
  /// Transforms numbers like z back to samples.
  [[nodiscard]] Eigen::VectorXd samples(const Eigen::VectorXd& z) const;

 private:
  Eigen::Index count_;  // of samples
  Eigen::HouseholderQR<Eigen::MatrixXd> qr_;
  Eigen::MatrixXd slopes_;
  Eigen::VectorXd constant_;
};

}  // namespace counterpoise
