#pragma once

#include <cstdint>

#include "optimizer/convex/solve.hpp"

namespace counterpoise {

/// Unknowns that take one of some sets of values together, as the numbers of a catalogue's row.
struct ChoiceGroup {
  std::vector<int> unknowns;
  std::vector<std::vector<double>> options;  // at least one; a value per unknown
};

/// A convex problem some of whose unknowns are chosen. Its bounds for those are not read.
struct ChoiceProblem {
  ConvexProblem convex;
  std::vector<ChoiceGroup> groups;
};

struct ChoiceOptions {
  double within = 0.0;         // keep every combination up to this part above the best
  std::size_t keep = 100'000;  // at most so many of them, the best ones
  ConvexOptions convex;        // of every relaxed problem
};

struct Combination {
  std::vector<int> options;  // one per group
  std::vector<double> x;
  double value = 0.0;
};

struct ChoiceSolution {
  std::vector<Combination> best;  // least value first, then by options; empty: none is feasible
  // Numbers of combinations; the largest 64-bit number stands for any beyond it.
  std::int64_t combinations = 0;     // of all options
  std::int64_t equal = 0;            // to another of them in all that the problem reads
  std::int64_t excluded = 0;         // of the rest, by a bound above what is kept
  std::int64_t evaluated = 0;        // one by one
  std::int64_t infeasible = 0;       // of them, against a limit
  bool truncated = false;            // more were near enough than are kept
  ConvexSolution relaxed;            // any values in the convex hull of each group's options
  std::vector<double> bound_slopes;  // the bound of a combination is bound_constant + slopes * x
  double bound_constant = 0.0;
};

/// The best of all combinations, exactly.
///
/// The relaxed problem lets a group be anything in the convex hull of its options (of two unknowns;
/// their range, of more). Its multipliers give a bound for every combination at once that is a sum
/// over groups, so that whole branches are left out by a few additions; what remains is evaluated
/// in the order of its bound. Where too many remain the branch is relaxed again with its first
/// group fixed. Of combinations that are equal in all that the problem reads one is looked at for
/// all. A limit holds to 1e-9 of its size. Ties go to the smaller options. Asks
/// `options.convex.interruption` before each relaxed problem and each combination.
ChoiceSolution choose(const ChoiceProblem& problem, const ChoiceOptions& options = {});

}  // namespace counterpoise
