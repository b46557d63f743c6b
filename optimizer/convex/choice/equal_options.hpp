#pragma once

#include "optimizer/convex/choice/choose.hpp"

namespace counterpoise {

/// Options of a group that the problem cannot tell apart: they are equal in every unknown of the
/// group that has a coefficient anywhere. Catalogues have such rows: a spring of two makers, or
/// lengths and prices that nothing reads.
struct EqualOptions {
  std::vector<int> first;     // for each option the first one that equals it, possibly itself
  std::vector<int> distinct;  // options that equal none before them
  std::vector<std::vector<int>> members;  // for each distinct option, by its index, all that equal
                                          // it, itself first; empty for other options
};

/// The equal options of each group. Cost: n log n in the number of its options.
std::vector<EqualOptions> equal_options(const ConvexProblem& problem,
                                        const std::vector<ChoiceGroup>& groups);

/// Expands combinations of distinct options, sorted by value and then by options, to combinations
/// of all options in the same order; returns at most `most`.
std::vector<Combination> with_equal_ones(std::vector<Combination> distinct,
                                         const std::vector<ChoiceGroup>& groups,
                                         const std::vector<EqualOptions>& equal, std::size_t most);

/// The number of combinations of distinct options, or of all options; the largest 64-bit number
/// where there are more.
std::int64_t count_distinct(const std::vector<EqualOptions>& equal, std::size_t first_group = 0);
std::int64_t count_all(const std::vector<EqualOptions>& equal, std::size_t first_group = 0);

/// The number of combinations that equal this one of distinct options, which may cover the first
/// groups only.
std::int64_t count_equal(const std::vector<EqualOptions>& equal, const std::vector<int>& options);

/// Product and sum of numbers of combinations; the largest 64-bit number where the result is
/// larger.
std::int64_t times(std::int64_t a, std::int64_t b);
std::int64_t plus(std::int64_t a, std::int64_t b);

}  // namespace counterpoise
