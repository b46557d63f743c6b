#pragma once

#include <vector>

namespace counterpoise {

/// A series of samples, each an affine function of the unknowns x:
///   r_k(x) = constant[k] + sum over columns of coefficients[k] * x[variable]
struct AffineSeries {
  struct Column {
    int variable = -1;
    std::vector<double> coefficients;  // one per sample
  };
  std::vector<double> constant;  // one per sample
  std::vector<Column> columns;   // each variable at most once
};

enum class NormKind {
  max,  // max norm: max of weight * |r|
  l1,   // L1 norm: sum of weight * |r|
  l2,   // L2 norm: sqrt of the sum of (weight * r)^2
};

/// A weighted norm of all samples of some series; convex in x, never negative.
struct SeriesNorm {
  struct Part {
    int series = -1;
    std::vector<double> weights;  // one per sample, >= 0; empty: all 1
  };
  NormKind kind = NormKind::max;
  std::vector<Part> parts;
};

/// constant + sum of weight * norm + sum of weight * x. Weights of norms are >= 0, so it is convex.
struct ConvexSum {
  struct Term {
    int index = -1;  // index of a norm, or of a variable
    double weight = 0.0;
  };
  double constant = 0.0;
  std::vector<Term> norms;
  std::vector<Term> linear;
};

/// sum <= bound.
struct ConvexLimit {
  ConvexSum sum;
  double bound = 0.0;
};

/// The problem of minimising the largest of some sums, within finite bounds of every unknown and
/// under limits.
///
/// Unknowns, series and limits may be of any size, because the solver scales them first.
struct ConvexProblem {
  std::vector<double> lower, upper;  // finite, lower <= upper
  std::vector<AffineSeries> series;
  std::vector<SeriesNorm> norms;
  std::vector<ConvexSum> objective;  // at least one; the largest is minimised
  std::vector<ConvexLimit> limits;
};

/// Throws std::invalid_argument where indices, sizes, signs or bounds do not fit, or a number is
/// not finite.
void check(const ConvexProblem& problem);

/// Whether every number of the problem is finite. Cost: one pass over the samples.
bool is_finite(const ConvexProblem& problem);

/// The value at x of a norm, of a sum, and of the objective, computed by plain loops over all
/// samples.
double value_of(const ConvexProblem& problem, const SeriesNorm& norm, const std::vector<double>& x);
double value_of(const ConvexProblem& problem, const ConvexSum& sum, const std::vector<double>& x);
double objective_of(const ConvexProblem& problem, const std::vector<double>& x);

}  // namespace counterpoise
