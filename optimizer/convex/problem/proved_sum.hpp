#pragma once

#include <vector>

#include "optimizer/convex/problem/certificate.hpp"

namespace counterpoise {

/// The sum of a problem's parts times the multipliers of a certificate: an affine function of x.
/// For each of its coefficients the largest number that was added up is kept as its size.
struct ProvedSum {
  double constant = 0.0;
  std::vector<double> slopes;
  double constant_size = 0.0;
  std::vector<double> slope_sizes;

  /// Adds up a certificate, whose indices must be valid.
  ProvedSum(const ConvexProblem& problem, const Certificate& certificate);

  /// The least value of the function within the bounds of the problem.
  [[nodiscard]] double bound(const ConvexProblem& problem) const;
  /// The largest of the numbers whose sum is the bound.
  [[nodiscard]] double size(const ConvexProblem& problem) const;

 private:
  void add_constant(double number);
  void add_slope(int variable, double number);
  void add(const ConvexSum& sum, double multiplier);
  void add(const ConvexProblem& problem, const Certificate::Witness& witness);
};

/// The series that a witness takes its sample from.
const AffineSeries& series_of(const ConvexProblem& problem, const Certificate::Witness& witness);

/// The total weight W_n of each norm n in the sum of all parts times their multipliers.
std::vector<double> norm_weights(const ConvexProblem& problem, const Certificate& certificate);

}  // namespace counterpoise
