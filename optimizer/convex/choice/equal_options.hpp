#pragma once

#include "optimizer/convex/choice/choose.hpp"

namespace counterpoise {

/// Options of a group that are one and the same to the problem: equal in every unknown of the group
/// that has a coefficient anywhere. Catalogues have such rows: a spring of two makers, or lengths
/// and prices that nothing reads.
struct EqualOptions {
  std::vector<int> first;                 // of each option: the first that equals it, maybe itself
  std::vector<int> distinct;              // those that equal none before them
  std::vector<std::vector<int>> members;  // of each distinct option, by its index: all that equal
                                          // it, itself first; of others none
};

/// Of each group. Cost: n log n of its options.
std::vector<EqualOptions> equal_options(const ConvexProblem& problem,
                                        const std::vector<ChoiceGroup>& groups);

/// Of combinations of distinct options, by value and then by options: those of all options, in the
/// same order, `most` at the most.
std::vector<Combination> with_equal_ones(std::vector<Combination> distinct,
                                         const std::vector<ChoiceGroup>& groups,
                                         const std::vector<EqualOptions>& equal, std::size_t most);

/// How many combinations of distinct options there are, or of all: the largest 64-bit number where
/// there are more.
std::int64_t count_distinct(const std::vector<EqualOptions>& equal, std::size_t first_group = 0);
std::int64_t count_all(const std::vector<EqualOptions>& equal, std::size_t first_group = 0);

/// How many combinations equal one of distinct options, which may be of the first groups only.
std::int64_t count_equal(const std::vector<EqualOptions>& equal, const std::vector<int>& options);

/// Numbers of combinations, with the largest 64-bit number for anything beyond it.
std::int64_t times(std::int64_t a, std::int64_t b);
std::int64_t plus(std::int64_t a, std::int64_t b);

}  // namespace counterpoise
