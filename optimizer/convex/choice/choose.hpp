#pragma once

#include <cstdint>
#include <functional>

#include "optimizer/convex/solve.hpp"

namespace counterpoise {

/// Unknowns that together take one of several sets of values, such as the numbers of a catalogue's
/// row.
struct ChoiceGroup {
  std::vector<int> unknowns;
  std::vector<std::vector<double>> options;  // at least one option; one value per unknown in each
};

/// A convex problem in which some unknowns are chosen from options. The bounds of those are not
/// read.
struct ChoiceProblem {
  ConvexProblem convex;
  std::vector<ChoiceGroup> groups;
};

/// Calls body(i) for each i below `count`, in any order and on any threads.
using EachIndex =
    std::function<void(std::size_t count, const std::function<void(std::size_t)>& body)>;

struct ChoiceOptions {
  double within = 0.0;           // keep every combination up to this fraction above the best
  std::size_t keep = 100'000;    // keep at most so many, the best ones
  std::int64_t count = 200'000;  // look for no more ties once so many are known
  ConvexOptions convex;          // used for every relaxed problem
  EachIndex each = {};           // spreads work over threads; empty: one after the other
};

struct Combination {
  std::vector<int> options;  // one per group
  std::vector<double> x;
  double value = 0.0;
};

struct ChoiceSolution {
  std::vector<Combination> best;  // least value first, then by options; empty if none is feasible
  // The counts below count combinations; the largest 64-bit number stands for any beyond it.
  std::int64_t combinations = 0;  // of all options
  std::int64_t equal = 0;         // that equal another one in everything the problem reads
  std::int64_t excluded = 0;      // of the rest, those excluded by a bound above what is kept
  std::int64_t evaluated = 0;     // those whose value is known: one by one, as the largest of
                                  // independent parts' values, or as ties of which none is above
  std::int64_t left = 0;          // not looked at, because enough tie with the best
  std::int64_t infeasible = 0;    // of those evaluated, the ones that break a limit
  std::int64_t near = 0;   // near enough to the best to be kept; at least so many where truncated
  bool truncated = false;  // whether more combinations were near enough to the best than are kept
  ConvexSolution relaxed;  // the optimum over the convex hull of each group's options
  std::vector<double> bound_slopes;  // the bound of a combination is bound_constant + slopes * x
  double bound_constant = 0.0;
};

/// Finds the best of all combinations exactly.
///
/// The relaxed problem lets a group take any values in the convex hull of its options (for more
/// than two unknowns: in their ranges). Its dual multipliers give a bound for every combination at
/// once that is a sum over groups, so that whole branches are excluded by a few additions; the
/// remaining combinations are evaluated in the order of their bounds. Where more than 256 remain
/// and every unknown is chosen, parts that share no group are searched alone, by branch and bound
/// (see join_parts()); where others are sized beside them, the choice is relaxed again with its
/// first group fixed. Of combinations that the problem cannot tell apart only one is evaluated. A
/// limit holds to 1e-9 of its size. Ties go to the smaller options; where every unknown is
/// chosen and more than 20,000 tie, to the smallest of all within 1e-9 of the best. The result is
/// the same for any `options.each`. Asks `options.convex.interruption` before each relaxed problem
/// and each combination, on the thread that looks at it.
ChoiceSolution choose(const ChoiceProblem& problem, const ChoiceOptions& options = {});

}  // namespace counterpoise
