#pragma once

#include <cstddef>
#include <numeric>
#include <vector>

namespace counterpoise::test {

/// Mean, variance and its shares, by sums over all designs of a grid.
struct VarianceShares {
  double mean = 0.0, variance = 0.0;
  std::vector<double> first, total;
};

/// Means of the values over all groups of designs with the same key.
template <class Key>
double variance_of_means(const std::vector<double>& values, std::size_t groups, const Key& key) {
  std::vector<double> sums(groups, 0.0), counts(groups, 0.0);
  for (std::size_t at = 0; at < values.size(); ++at) {
    sums[key(at)] += values[at];
    counts[key(at)] += 1.0;
  }
  const double mean =
      std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
  double variance = 0.0;
  for (std::size_t g = 0; g < groups; ++g) {
    const double distance = sums[g] / counts[g] - mean;
    variance += distance * distance;
  }
  return variance / static_cast<double>(groups);
}

/// Values in the order of a grid, the last factor fastest. First order: variance of the means over
/// all other factors. Total: what the variance of the means over the factor itself leaves.
inline VarianceShares variance_shares(const std::vector<std::size_t>& levels,
                                      const std::vector<double>& values) {
  VarianceShares shares;
  shares.mean =
      std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
  shares.variance = variance_of_means(values, values.size(), [](std::size_t at) { return at; });
  std::size_t stride = values.size();
  for (std::size_t count : levels) {
    const std::size_t outer = stride;
    stride /= count;
    const auto level = [&](std::size_t at) { return at / stride % count; };
    const auto others = [&](std::size_t at) { return at / outer * stride + at % stride; };
    shares.first.push_back(variance_of_means(values, count, level) / shares.variance);
    shares.total.push_back(1.0 - variance_of_means(values, values.size() / count, others) /
                                     shares.variance);
  }
  return shares;
}

}  // namespace counterpoise::test
