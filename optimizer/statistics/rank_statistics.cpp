#include "optimizer/statistics/rank_statistics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace counterpoise {
namespace {

using Pairs = double;  // counts of pairs; exact up to 2^53

Pairs pairs_of(std::size_t n) {
  return 0.5 * static_cast<double>(n) * (static_cast<double>(n) - 1.0);
}

/// Pairs within runs of entries that `same` calls equal, in sorted order.
template <class Same>
Pairs tied_pairs(std::span<const std::size_t> order, const Same& same) {
  Pairs pairs = 0.0;
  std::size_t run = 1;
  for (std::size_t i = 1; i <= order.size(); ++i) {
    if (i < order.size() && same(order[i - 1], order[i])) {
      ++run;
      continue;
    }
    pairs += pairs_of(run);
    run = 1;
  }
  return pairs;
}

/// Sorts `values` and returns how many pairs were in the wrong order.
Pairs sort_and_count(std::span<double> values, std::span<double> scratch) {
  if (values.size() < 2) return 0.0;
  const std::size_t half = values.size() / 2;
  Pairs swaps =
      sort_and_count(values.first(half), scratch) + sort_and_count(values.subspan(half), scratch);
  std::size_t left = 0, right = half, out = 0;
  while (left < half || right < values.size()) {
    const bool take_right = left == half || (right < values.size() && values[right] < values[left]);
    if (take_right) swaps += static_cast<double>(half - left);
    scratch[out++] = values[take_right ? right++ : left++];
  }
  std::copy_n(scratch.begin(), values.size(), values.begin());
  return swaps;
}

}  // namespace

std::optional<double> kendall_tau(std::span<const double> a, std::span<const double> b) {
  std::vector<std::size_t> order(a.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t i, std::size_t j) { return a[i] != a[j] ? a[i] < a[j] : b[i] < b[j]; });
  const auto same_a = [&](std::size_t i, std::size_t j) { return a[i] == a[j]; };
  const auto same_b = [&](std::size_t i, std::size_t j) { return b[i] == b[j]; };
  const auto same = [&](std::size_t i, std::size_t j) { return same_a(i, j) && same_b(i, j); };
  const Pairs all = pairs_of(order.size());
  const Pairs tied_a = tied_pairs(order, same_a), tied = tied_pairs(order, same);
  std::vector<double> in_order, scratch(b.size());
  for (const std::size_t i : order) in_order.push_back(b[i]);
  const Pairs swaps = sort_and_count(in_order, scratch);
  std::sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) { return b[i] < b[j]; });
  const Pairs tied_b = tied_pairs(order, same_b);
  if (all == tied_a || all == tied_b) return std::nullopt;
  return (all - tied_a - tied_b + tied - 2.0 * swaps) / std::sqrt((all - tied_a) * (all - tied_b));
}

Percentile percentile_of(std::vector<double> values, double percent) {
  std::sort(values.begin(), values.end());
  const auto count = static_cast<double>(values.size());
  const double share = percent / 100.0;
  const auto at = [&](double rank) {  // from 1
    return values[static_cast<std::size_t>(std::clamp(rank, 1.0, count)) - 1];
  };
  // 1e-9: 95 % of 100 is 95, whatever the rounding
  const double rank = std::ceil(share * count - 1e-9);
  const double spread = std::ceil(std::sqrt(count * share * (1.0 - share)));
  Percentile found{at(rank), std::nullopt};
  const double error = 0.5 * (at(rank + spread) - at(rank - spread));
  if (std::isfinite(error)) found.error = error;
  return found;
}

std::vector<std::size_t> times_best(std::span<const std::vector<double>> by_design) {
  std::vector<std::size_t> times(by_design.size(), 0);
  for (std::size_t draw = 0; !by_design.empty() && draw < by_design.front().size(); ++draw) {
    std::size_t best = 0;
    for (std::size_t d = 1; d < by_design.size(); ++d)
      if (by_design[d][draw] < by_design[best][draw]) best = d;
    if (std::isfinite(by_design[best][draw])) ++times[best];
  }
  return times;
}

}  // namespace counterpoise
