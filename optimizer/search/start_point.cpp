#include "optimizer/search/start_point.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include "optimizer/sampling/random_bits.hpp"
#include "optimizer/sampling/sobol_sequence.hpp"

namespace counterpoise {

std::uint64_t mixed_seed(std::uint64_t seed, std::uint64_t start, std::uint64_t use) {
  std::seed_seq sequence{seed & 0xffffffffU, seed >> 32U, start & 0xffffffffU, start >> 32U, use};
  std::mt19937_64 engine(sequence);
  return engine();
}

std::vector<double> start_point(const SearchOptions& options) {
  const std::size_t n = options.lower.size();
  std::vector<double> x = options.nominal;
  if (options.start > 0) {
    constexpr std::uint64_t shift_use = 0;
    std::mt19937_64 shift(mixed_seed(options.seed, 0, shift_use));
    std::vector<double> point(n);
    SobolSequence(n).point(std::int64_t{options.start} + 1, point);
    for (std::size_t i = 0; i < n; ++i) {
      double u = point[i] + unit_interval(shift());
      u -= std::floor(u);
      x[i] = options.lower[i] + u * (options.upper[i] - options.lower[i]);
    }
  }
  for (std::size_t i = 0; i < n; ++i) x[i] = std::clamp(x[i], options.lower[i], options.upper[i]);
  return x;
}

}  // namespace counterpoise
