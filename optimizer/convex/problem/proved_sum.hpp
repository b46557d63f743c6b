#pragma once

#include <vector>

#include "optimizer/convex/problem/certificate.hpp"

namespace counterpoise {

/// What the multipliers of a certificate add up to: an affine function of x, with the size of the
/// largest number that each of its coefficients is the sum of.
struct ProvedSum {
  double constant = 0.0;
  std::vector<double> slopes;
  double constant_size = 0.0;
  std::vector<double> slope_sizes;

  /// Indices must be valid.
  ProvedSum(const ConvexProblem& problem, const Certificate& certificate);

  /// The least value within the bounds.
  [[nodiscard]] double bound(const ConvexProblem& problem) const;
  /// The largest number that the bound is the sum of.
  [[nodiscard]] double size(const ConvexProblem& problem) const;

 private:
  void add_constant(double number);
  void add_slope(int variable, double number);
  void add(const ConvexSum& sum, double multiplier);
  void add(const ConvexProblem& problem, const Certificate::Witness& witness);
};

/// The series that a witness takes its sample from.
const AffineSeries& series_of(const ConvexProblem& problem, const Certificate::Witness& witness);

/// The total weight W_n with which each norm stands in the sum of the multipliers.
std::vector<double> norm_weights(const ConvexProblem& problem, const Certificate& certificate);

}  // namespace counterpoise
