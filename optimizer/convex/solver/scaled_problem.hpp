#pragma once

#include <Eigen/Core>
#include <vector>

#include "optimizer/convex/problem/certificate.hpp"

namespace counterpoise {

/// A norm in scaled unknowns u: scale * norm(constant + coefficients * u), with the samples'
/// weights multiplied in. Its rows are the samples of its parts, one part after the other.
struct ScaledNorm {
  NormKind kind = NormKind::largest;
  bool used = false;  // by the objective or a limit; otherwise the rest is empty
  double scale = 1.0;
  double rounding = 0.0;         // of a value, by what its terms cancel
  std::vector<int> variables;    // of the columns of coefficients
  Eigen::VectorXd constant;      // at the centre
  Eigen::MatrixXd coefficients;  // samples x variables

  [[nodiscard]] Eigen::VectorXd at(const Eigen::VectorXd& u) const;
};

/// Of numbers r: the norm that `kind` names.
double norm_of(NormKind kind, const Eigen::VectorXd& r);

/// A problem whose numbers are about 1: x = centre + unit * u, where `centre` is near the optimum
/// (what bounded least squares of all norms gives), a norm is about 1 there, and a unit of no
/// unknown changes a norm by more than 1 or leaves its bounds. Bounds may be infinite here.
struct ScaledProblem {
  Eigen::VectorXd centre, unit;
  Eigen::VectorXd lower, upper;  // of u
  std::vector<ScaledNorm> norms;
  double base = 0.0;  // objective = base + scale * what is minimised
  double scale = 1.0;
  double rounding = 0.0;  // of what is minimised, by its terms and by the width of the bounds

  explicit ScaledProblem(const ConvexProblem& problem);

  /// Within the bounds of x to the last bit.
  [[nodiscard]] std::vector<double> unscaled(const ConvexProblem& problem,
                                             const Eigen::VectorXd& u) const;

 private:
  void set_objective(const ConvexProblem& problem);
};

}  // namespace counterpoise
