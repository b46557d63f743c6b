#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace counterpoise {

/// Kendall's tau-b of two rankings of the same things by their values: (agreeing - disagreeing
/// pairs) / sqrt(pairs not tied in a * pairs not tied in b). 1 means the same order, -1 the
/// reverse. Infinite values are tied with each other. Returns nothing where one ranking ties
/// everything. Cost: O(n log n). Source: W. R. Knight, J. Am. Stat. Assoc. 61 (1966) 436.
std::optional<double> kendall_tau(std::span<const double> a, std::span<const double> b);

/// A percentile of draws and its standard error.
struct Percentile {
  double value = 0.0;           // infinite where too many draws are infinite
  std::optional<double> error;  // standard error; none where it is not finite
};

/// The smallest draw that at least `percent` per cent of the draws do not exceed. The error is half
/// the distance between the order statistics one binomial standard deviation to either side, as if
/// draws were independent; a Sobol sequence usually does better. `values` is not empty.
Percentile percentile_of(std::vector<double> values, double percent);

/// The number of draws in which each design is best. `by_design` holds the values of each design's
/// draws, infinite where a draw counts as bad. Of equal designs the first is best. Draws in which
/// all values are infinite count for no design.
std::vector<std::size_t> times_best(std::span<const std::vector<double>> by_design);

}  // namespace counterpoise
