#pragma once

#include <Eigen/Core>
#include <vector>

#include "optimizer/convex/certificate.hpp"

namespace counterpoise {

/// A norm in scaled unknowns u: scale * norm(constant + coefficients * u), with the samples'
/// weights multiplied in. Its rows are the samples of its parts, one part after the other.
struct ScaledNorm {
  NormKind kind = NormKind::max;
  bool used = false;  // whether the objective or a limit uses it; otherwise the rest is empty
  double scale = 1.0;
  double rounding = 0.0;         // rounding error of a value, from terms that cancel
  std::vector<int> variables;    // of the columns of coefficients
  Eigen::VectorXd constant;      // at the centre
  Eigen::MatrixXd coefficients;  // samples x variables

  [[nodiscard]] Eigen::VectorXd at(const Eigen::VectorXd& u) const;
};

/// The norm that `kind` names of the numbers r, without weights.
double norm_of(NormKind kind, const Eigen::VectorXd& r);

/// A problem whose numbers are about 1: x = centre + unit * u, where `centre` is near the optimum
/// (it is the bounded least-squares solution for all norms), a norm is about 1 there, and one unit
/// of any unknown changes no norm by more than 1 and stays within its bounds. Bounds may be
/// infinite here.
struct ScaledProblem {
  Eigen::VectorXd centre, unit;
  Eigen::VectorXd lower, upper;  // of u
  std::vector<ScaledNorm> norms;
  double base = 0.0;  // objective = base + scale * scaled objective, which is minimised
  double scale = 1.0;
  double rounding =
      0.0;  // rounding error of the scaled objective, from its terms and the width of the bounds

  explicit ScaledProblem(const ConvexProblem& problem);

  /// The u for unknowns x, within its bounds.
  [[nodiscard]] Eigen::VectorXd scaled(const std::vector<double>& x) const;
  /// The unknowns x for u, within their bounds to the last bit.
  [[nodiscard]] std::vector<double> unscaled(const ConvexProblem& problem,
                                             const Eigen::VectorXd& u) const;

 private:
  void set_objective(const ConvexProblem& problem);
};

/// Adds the entries of y that are not 0 as witnesses. y holds the multipliers of the samples of a
/// norm, one part after the other, before they are multiplied by the samples' weights.
void add_witnesses(const ConvexProblem& problem, std::size_t norm, const Eigen::VectorXd& y,
                   Certificate& certificate);

}  // namespace counterpoise
