#pragma once

#include <random>
#include <string>
#include <vector>

#include "optimizer/convex/solve.hpp"

namespace counterpoise::testing {

inline constexpr NormKind all_kinds[] = {NormKind::max, NormKind::l1, NormKind::l2};

/// What a random problem is made of.
struct Make {
  int unknowns = 4;
  int samples = 40;
  int series = 2;
  std::vector<NormKind> kinds = {};      // one norm each, one piece each
  int linear_limits = 0;                 // at a random point, with a little room
  std::vector<NormKind> in_limits = {};  // one limit each, likewise
  bool one_piece = false;                // the sum of all norms instead of their largest
};

/// In [low, high); the same on every machine.
double uniform(std::mt19937& random, double low, double high);

/// Series of waves, unknowns of very different sizes, weights of samples, some of them 0. Always
/// feasible.
ConvexProblem random_problem(std::mt19937& random, const Make& make);

/// Adds a norm of all samples of one series, as the mean where it is a sum.
int add_norm(ConvexProblem& problem, NormKind kind, int series);

/// A point within the bounds.
std::vector<double> random_point(std::mt19937& random, const ConvexProblem& problem);

/// Of one unknown per column: constant + sum of columns * x; bounds -10 to 10.
ConvexProblem small_problem(const std::vector<double>& constant,
                            const std::vector<std::vector<double>>& columns, NormKind kind);

/// The largest amount by which a limit is broken at x.
double excess_of(const ConvexProblem& problem, const std::vector<double>& x);

/// "optimal", or what is wrong with a solution: its status, its certificate, its value, its gap.
std::string judged(const ConvexProblem& problem, const ConvexSolution& solution, double gap);

}  // namespace counterpoise::testing
