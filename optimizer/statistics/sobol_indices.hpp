#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "optimizer/interruption.hpp"
#include "optimizer/statistics/estimate.hpp"

namespace counterpoise {

/// Points of Saltelli's design in the unit cube: two independent matrices A and B with as many rows
/// as base samples, preferably a power of two, and for every factor i the matrix AB_i, which is A
/// with column i from B. Row j*(factors+2) + k is row j of A (k = 0), of AB_k (k = 1..factors), of
/// B (k = factors+1), so that neighbours differ in few factors. A and B are the halves of a Sobol
/// sequence of 2*factors dimensions, from its first point, the origin, on, shifted digit by digit
/// by the seed. One per thread.
class SaltelliDesign {
 public:
  /// The number of factors is from 1 to most_factors.
  SaltelliDesign(std::size_t factors, std::uint64_t seed);
  ~SaltelliDesign();
  SaltelliDesign(SaltelliDesign&&) noexcept;

  static constexpr std::size_t most_factors = 1800;
  static std::int64_t rows(std::size_t factors, std::int64_t base_samples) {
    return base_samples * static_cast<std::int64_t>(factors + 2);
  }

  /// Sets `u` to one row; each number is in [0, 1). Cheap when row numbers rise.
  void row(std::int64_t row, std::span<double> u);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Why there are no indices.
enum class NoIndices {
  there_are,
  constant,  // the function varies by less than 1e-12 of its size
  too_few    // less than least_usable_share of a factor's triples can be computed
};

/// Shares of the variance of a function whose factors vary independently and uniformly.
struct SobolIndices {
  NoIndices none = NoIndices::there_are;
  double mean = 0.0;      // over A and B, of the values that can be computed
  double variance = 0.0;  // over A and B, of the same values
  double usable =
      0.0;  // share of triples (A, B, AB_i) that can be used, the least over all factors
  std::vector<Estimate> first, total;  // per factor; empty if there are no indices
  Estimate first_sum;                  // 1 where factors do not interact
};

/// Estimates Sobol's indices from the values at all rows of a SaltelliDesign, NaN where a row has
/// none: a triple that lacks a value is left out. With the mean subtracted from all values,
///   first order of i   mean(B (AB_i - A)) / V       Saltelli et al. 2010, table 2 (b)
///   total effect of i  mean((A - AB_i)^2) / (2 V)   Jansen 1999
/// where V is the variance over A and B. For a factor without influence both are exactly 0.
/// Intervals are by bootstrap over the base samples, or over 4096 groups of neighbours where there
/// are more. Cost: resamples * groups * factors. Asks before each base sample and resample whether
/// to stop.
SobolIndices estimate_sobol(std::span<const double> values, std::size_t factors, std::uint64_t seed,
                            int resamples = default_resamples,
                            const Interruption& interrupted = {});

/// Evaluates a function over the unit cube at all rows of a SaltelliDesign and estimates its
/// indices.
SobolIndices sobol_indices(std::size_t factors, std::int64_t base_samples, std::uint64_t seed,
                           const std::function<double(std::span<const double>)>& function);

}  // namespace counterpoise
