#include "studies/cams/chebyshev.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace counterpoise {
namespace {

/// Polynomial j at place k of `count`, ascending places; its angle is reduced while it is whole.
double polynomial_at(std::size_t j, std::size_t k, std::size_t count) {
  const std::size_t halves = (j * (2 * (count - k) - 1)) % (4 * count);
  return std::cos(std::numbers::pi * static_cast<double>(halves) /
                  (2.0 * static_cast<double>(count)));
}

}  // namespace

std::vector<double> ChebyshevSeries::places(double low, double high, std::size_t count) {
  std::vector<double> places;
  for (std::size_t k = 0; k < count; ++k)
    places.push_back(0.5 * (low + high) + 0.5 * (high - low) * polynomial_at(1, k, count));
  return places;
}

std::optional<ChebyshevSeries> ChebyshevSeries::through(double low, double high,
                                                        std::span<const double> values) {
  constexpr double rounding = 1e-14;
  const std::size_t count = values.size();
  std::vector<double> terms(count);
  double largest = 0.0;
  for (std::size_t j = 0; j < count; ++j) {
    for (std::size_t k = 0; k < count; ++k) terms[j] += values[k] * polynomial_at(j, k, count);
    terms[j] *= (j == 0 ? 1.0 : 2.0) / static_cast<double>(count);
    largest = std::max(largest, std::abs(terms[j]));
  }
  while (terms.size() > 1 && std::abs(terms.back()) <= rounding * largest) terms.pop_back();
  if (10 * terms.size() > 9 * count) return std::nullopt;
  return ChebyshevSeries(low, high, std::move(terms));
}

double ChebyshevSeries::at(double x) const {
  const double u = (2.0 * x - low_ - high_) / (high_ - low_);
  double next = 0.0, behind = 0.0;  // Clenshaw's recurrence
  for (std::size_t j = terms_.size(); j-- > 1;) {
    const double term = terms_[j] + 2.0 * u * next - behind;
    behind = next;
    next = term;
  }
  return terms_[0] + u * next - behind;
}

ChebyshevSeries ChebyshevSeries::derivative() const {
  std::vector<double> slopes(std::max<std::size_t>(terms_.size() - 1, 1), 0.0);
  for (std::size_t j = terms_.size(); j-- > 1;)
    slopes[j - 1] =
        (j + 1 < slopes.size() ? slopes[j + 1] : 0.0) + 2.0 * static_cast<double>(j) * terms_[j];
  slopes[0] *= 0.5;
  for (double& slope : slopes) slope *= 2.0 / (high_ - low_);
  return {low_, high_, std::move(slopes)};
}

ChebyshevSeries ChebyshevSeries::integral() const {
  std::vector<double> sums(terms_.size() + 1, 0.0);
  const auto term = [&](std::size_t j) { return j < terms_.size() ? terms_[j] : 0.0; };
  for (std::size_t j = 1; j < sums.size(); ++j)
    sums[j] = (high_ - low_) / 2.0 * ((j == 1 ? 2.0 : 1.0) * term(j - 1) - term(j + 1)) /
              (2.0 * static_cast<double>(j));
  for (std::size_t j = 1; j < sums.size(); ++j) sums[0] += j % 2 == 1 ? sums[j] : -sums[j];
  return {low_, high_, std::move(sums)};
}

}  // namespace counterpoise
