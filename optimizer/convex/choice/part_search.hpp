#pragma once

#include <cstdint>
#include <vector>

#include "optimizer/convex/choice/choose.hpp"

namespace counterpoise {

/// One combination of a part: an option of each of its groups, and the value that they have.
struct PartOne {
  double value = 0.0;
  std::vector<int> options;
};

/// Which combinations of a part are wanted.
struct PartWish {
  enum class Up { to_least, near_least, to_most };
  Up up =
      Up::near_least;  // only one with the least value, all up to `within` above, or up to `most`
  double within = 0.0;
  double most = infinity;
  double floor = -infinity;      // values below count as this one
  std::size_t keep = 100'000;    // at most so many, the best ones
  std::int64_t count = 200'000;  // look for no more ties once so many are known
  std::vector<std::vector<std::int64_t>> copies = {};  // how many equal each option; empty: itself
};

/// How many combinations equal one, itself among them.
std::int64_t copies_of(const PartWish& wish, const std::vector<int>& options);

struct PartFound {
  std::vector<PartOne> ones;    // least value first, then by options
  bool truncated = false;       // whether there are more
  std::int64_t left = 0;        // combinations not looked at, because enough tie with the best
  std::int64_t near = 0;        // how many there are, or at least, where some are left
  std::int64_t near_all = 0;    // the same with all that equal them
  std::int64_t evaluated = 0;   // one by one, or as ties of which none is above
  std::int64_t infeasible = 0;  // of these
};

/// The best combinations of a choice in which every unknown is chosen, by branch and bound.
///
/// A branch has some options left of each group, and its relaxed problem takes any values in their
/// convex hulls. The dual multipliers of this give a bound for each combination that is a sum over
/// groups; the parts of norms that read one group are exact in it. Options that no combination with
/// them can reach what is wanted are left out; where few combinations remain each is evaluated,
/// else the options of one group are split by one number in two branches. The branch with the least
/// bound is next; some are looked at side by side, as many on any number of threads. A value that
/// agrees with the least to 1e-9 counts as near it.
///
/// Where ties are all that is wanted, boxes of options whose combinations all tie are counted as a
/// whole, and listed where ties are no more than 20,000; of more the first by options is returned
/// alone. Once more than `wish.count` are known to tie the search ends, and others are left.
///
/// Cost: a relaxed problem for each branch, usually some dozen to some hundred, and n log n in the
/// number of options for the first. Asks `convex.interruption` before each branch, on the
/// thread that looks at it.
PartFound search_part(const ChoiceProblem& problem, const PartWish& wish,
                      const ConvexOptions& convex, const EachIndex& each = {});

}  // namespace counterpoise
