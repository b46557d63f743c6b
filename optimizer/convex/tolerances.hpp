#pragma once

#include <limits>
#include <type_traits>

namespace counterpoise {

/// Every tolerance of the convex solver, with the test it stands in; the README has them as a
/// table. Double rounds to 2e-16. Sums of some hundred terms and solutions of well scaled equations
/// then hold to 1e-13, what has gone through several of those to 1e-11, and what another method
/// computed agrees to 1e-9.
struct ConvexTolerances {
  // numbers that are compared
  static constexpr double agreement = 1e-9;     // |a - b| <= agreement * max(|a|, |b|, size)
  static constexpr double limit = 1e-11;        // sum - bound <= limit * scale of the limit
  static constexpr double rounding = 1e-13;     // |a| <= rounding * sum or largest of its terms
  static constexpr double bit = 4e-16;          // error of a value: bit * largest of its terms
  static constexpr double worth_having = 1e-6;  // gap of a proof <= worth_having * |value| + ...
  static constexpr double reach = 1e-14;        // ... + reach * sum |weight| * largest |x_j|

  // unknowns and multipliers
  static constexpr double beside_bound = 1e-12;  // |x_j - bound| <= beside_bound * (upper - lower)
  static constexpr double negligible = 1e-9;     // of a limit's share of the multipliers' sum 1
  static constexpr double listed = 1e-12;        // |y_k - computed y_k| > listed * largest |y|
  static constexpr double least_slack = 1e-15;   // slack of limits without room, at first

  // the scaled problem and its cuts
  static constexpr double cancelled = 1e-4;  // scale of a norm >= cancelled * its terms
  static constexpr double ridge = 1e-13;     // (A'A + ridge) u = A'b, for columns of length 1
  static constexpr double coarse = 1e-9;     // cut where norm - known > coarse: at a start point
  static constexpr double cut = 1e-13;       // cut where norm - known > cut: at an answer
  static constexpr double widest = 1e6;      // narrow the bounds where upper - lower > widest
  static constexpr double at_bound = 1e-6;   // x_j - lower > at_bound * (upper - lower), narrowed
};

/// The tolerances of a linear program solved in numbers S: epsilon is their rounding.
template <class S>
struct SimplexTolerances {
  static constexpr S epsilon = std::numeric_limits<S>::epsilon();
  static constexpr S violated = 180 * epsilon;    // a row's shortfall > violated * max(1, |y|)
  static constexpr S same_ratio = 450 * epsilon;  // multipliers that reach 0 together
  static constexpr S least_rate = 1e-9;           // a multiplier falls: rate > least_rate * max
  static constexpr S held_back = 450 * epsilon;   // multiplier of a box's side * room behind it
  static constexpr S least_pivot = 45 * epsilon;  // singular: pivot <= least_pivot * max |entry|
  static constexpr S farthest = std::is_same_v<S, double> ? 1e9 : 5e12;  // reach of the box
};

}  // namespace counterpoise
