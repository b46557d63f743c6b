#pragma once

#include <optional>
#include <span>
#include <vector>

namespace counterpoise {

/// A smooth function on an interval as a sum of Chebyshev polynomials, from which slopes and
/// integrals follow exactly.
class ChebyshevSeries {
 public:
  /// The places, ascending, where a function has to be known.
  static std::vector<double> places(double low, double high, std::size_t count);
  /// The series through values at these places. Terms that are rounding only are left out; nothing
  /// where more than nine tenths of the terms are left, since the function is not smooth then.
  static std::optional<ChebyshevSeries> through(double low, double high,
                                                std::span<const double> values);

  [[nodiscard]] double at(double x) const;
  [[nodiscard]] ChebyshevSeries derivative() const;
  /// The integral from `low`.
  [[nodiscard]] ChebyshevSeries integral() const;

 private:
  ChebyshevSeries(double low, double high, std::vector<double> terms)
      : low_(low), high_(high), terms_(std::move(terms)) {}

  double low_, high_;
  std::vector<double> terms_;
};

}  // namespace counterpoise
