#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace counterpoise {

/// Kendall's tau-b of two rankings of the same things by their values: (agreeing - disagreeing
/// pairs) / sqrt(pairs not tied in a * pairs not tied in b). 1 the same order, -1 the reverse.
/// Infinite values are tied with each other. Nothing where one of them ties all. O(n log n).
/// Source: W. R. Knight, J. Am. Stat. Assoc. 61 (1966) 436.
std::optional<double> kendall_tau(std::span<const double> a, std::span<const double> b);

/// A percentile of draws and how sure it is.
struct Percentile {
  double value = 0.0;           // infinite where that many draws are
  std::optional<double> error;  // standard error; none where it is not finite
};

/// The least draw that at least `percent` per cent of them do not exceed. The error is half the
/// distance of the order statistics one binomial standard deviation to either side, as if draws
/// were independent; a Sobol sequence usually does better. `values` is not empty.
Percentile percentile_of(std::vector<double> values, double percent);

/// In how many draws each design is best; `by_design`: the values of its draws, infinite where it
/// is none. Of equal ones the first. The draws in which all are infinite count for nobody.
std::vector<std::size_t> times_best(std::span<const std::vector<double>> by_design);

}  // namespace counterpoise
