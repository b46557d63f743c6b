#pragma once

#include <vector>

namespace counterpoise {

/// A number estimated from a sample, with its 95 % confidence interval.
struct Estimate {
  double value = 0.0;
  double low = 0.0;
  double high = 0.0;
};

/// The number of bootstrap resamples for an interval.
inline constexpr int default_resamples = 1000;

/// Estimates are given only if at least this share of the planned evaluations can be used.
inline constexpr double least_usable_share = 0.5;

/// The percentile interval of a bootstrap (Efron 1979): the 2.5 % and 97.5 % quantiles of the
/// resampled values, which are sorted in place. Without resampled values both ends are the value
/// itself.
Estimate with_interval(double value, std::vector<double>& resampled);

}  // namespace counterpoise
