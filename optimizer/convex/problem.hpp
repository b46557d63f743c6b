#pragma once

#include <limits>
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

/// The value of a bound that restricts nothing.
inline constexpr double infinity = std::numeric_limits<double>::infinity();

/// Whether a and b differ by no more than ConvexTolerances::agreement times the largest of |a|, |b|
/// and `size`.
bool agree(double a, double b, double size);

/// The scale to which an objective that is nearly zero is compared: the largest sum of the
/// objective without springs, whose constants count by their size: they may cancel its norms.
double size_without_springs(const ConvexProblem& problem);

/// The sum of the sizes of the objective's terms at x, as if none cancelled: the scale of its
/// rounding. 0 if x does not fit the problem. Costs a copy of the problem.
double size_of_terms(ConvexProblem problem, std::vector<double> x);

/// The largest gap between value and bound with which an objective still counts as proved: 1e-6 of
/// the value. For an objective that is nearly zero it is the rounding of its sums: 1e-9 of the
/// objective without springs, and 1e-14 of the sum of its linear terms at the far ends of their
/// ranges.
double allowed_gap(const ConvexProblem& problem, double value);

}  // namespace counterpoise
