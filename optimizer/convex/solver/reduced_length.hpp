#pragma once

#include <Eigen/Core>
#include <Eigen/QR>

#include "optimizer/convex/solver/scaled_problem.hpp"

namespace counterpoise {

/// The length of the samples of a norm as that of a few numbers: z = slopes * u + constant are the
/// samples turned by an orthogonal matrix (QR), where all but the first few are 0 for every u.
class ReducedLength {
 public:
  /// Of all unknowns; columns of those that the norm does not depend on are 0.
  ReducedLength(const ScaledNorm& norm, Eigen::Index unknowns);

  [[nodiscard]] const Eigen::MatrixXd& slopes() const { return slopes_; }
  [[nodiscard]] const Eigen::VectorXd& constant() const { return constant_; }
  /// Numbers like z, turned back to samples.
  [[nodiscard]] Eigen::VectorXd samples(const Eigen::VectorXd& z) const;

 private:
  Eigen::Index count_;  // of samples
  Eigen::HouseholderQR<Eigen::MatrixXd> qr_;
  Eigen::MatrixXd slopes_;
  Eigen::VectorXd constant_;
};

}  // namespace counterpoise
