#include "optimizer/statistics/estimate.hpp"

#include <algorithm>
#include <cmath>

namespace counterpoise {
namespace {

/// A quantile, linearly interpolated between the two nearest of the sorted values.
double quantile(const std::vector<double>& sorted, double share) {
  const double place = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(std::floor(place));
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (place - std::floor(place)) * (sorted[above] - sorted[below]);
}

}  // namespace

Estimate with_interval(double value, std::vector<double>& resampled) {
  if (resampled.empty()) return {value, value, value};
  std::sort(resampled.begin(), resampled.end());
  return {value, quantile(resampled, 0.025), quantile(resampled, 0.975)};
}

}  // namespace counterpoise
