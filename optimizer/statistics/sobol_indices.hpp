#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "optimizer/interruption.hpp"
#include "optimizer/statistics/estimate.hpp"

namespace counterpoise {

/// Points of Saltelli's design in the unit cube: two independent matrices A and B of as many rows
/// as base samples, best a power of two, and for every factor i the matrix AB_i, which is A with
/// column i from B. Row j*(factors+2) + k is row j of A (k = 0), of AB_k (k = 1..factors), of B (k
/// = factors+1), so that neighbours differ in few factors. A and B are the halves of a Sobol
/// sequence of 2*factors dimensions, from its first point, the origin, on, shifted digit by digit
/// by the seed. One per thread.
class SaltelliDesign {
 public:
  /// At least one factor, at most most_factors.
  SaltelliDesign(std::size_t factors, std::uint64_t seed);
  ~SaltelliDesign();
  SaltelliDesign(SaltelliDesign&&) noexcept;

  static constexpr std::size_t most_factors = 1800;
  static std::int64_t rows(std::size_t factors, std::int64_t base_samples) {
    return base_samples * static_cast<std::int64_t>(factors + 2);
  }

  /// Each number in [0, 1). Cheap when rows rise.
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
  double mean = 0.0;                   // over A and B, of what can be computed
  double variance = 0.0;               // likewise
  double usable = 0.0;                 // share of triples (A, B, AB_i), the least of all factors
  std::vector<Estimate> first, total;  // per factor; empty where there are none
  Estimate first_sum;                  // 1 where factors do not interact
};

/// Sobol's indices from the values at all rows of a SaltelliDesign, NaN where there is none: a
/// triple that lacks one is left out. With values less their mean,
///   first order of i   mean(B (AB_i - A)) / V       Saltelli et al. 2010, table 2 (b)
///   total effect of i  mean((A - AB_i)^2) / (2 V)   Jansen 1999
/// and V the variance over A and B. A factor without influence has exactly 0 and 0. Intervals by
/// bootstrap over the base samples, or over 4096 groups of neighbours where there are more. Cost:
/// resamples * groups * factors. Asks before each base sample and resample whether to stop.
SobolIndices estimate_sobol(std::span<const double> values, std::size_t factors, std::uint64_t seed,
                            int resamples = default_resamples,
                            const Interruption& interrupted = {});

/// The same of a function over the unit cube.
SobolIndices sobol_indices(std::size_t factors, std::int64_t base_samples, std::uint64_t seed,
                           const std::function<double(std::span<const double>)>& function);

}  // namespace counterpoise
