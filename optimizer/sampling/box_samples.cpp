#include "optimizer/sampling/box_samples.hpp"

#include "optimizer/sampling/random_bits.hpp"

namespace counterpoise {

SobolSequence shifted_sobol(std::size_t dimensions, std::uint64_t seed) {
  std::vector<std::uint64_t> shifts;
  for (std::size_t d = 0; d < dimensions; ++d) shifts.push_back(mixed(mixed(seed) ^ d));
  return SobolSequence(dimensions, std::move(shifts));
}

std::vector<std::vector<double>> box_samples(std::size_t dimensions, int samples,
                                             std::uint64_t seed) {
  std::vector<std::vector<double>> points;
  if (dimensions == 0) return points;
  const auto count = static_cast<std::size_t>(samples);
  if (dimensions < 32 && (std::size_t{1} << dimensions) <= count)
    for (std::size_t corner = 0; corner < std::size_t{1} << dimensions; ++corner) {
      std::vector<double>& point = points.emplace_back(dimensions);
      for (std::size_t d = 0; d < dimensions; ++d)
        point[d] = static_cast<double>((corner >> d) & 1U);
    }
  SobolSequence sequence = shifted_sobol(dimensions, seed);
  for (std::int64_t i = 1; i <= samples; ++i) sequence.point(i, points.emplace_back(dimensions));
  return points;
}

}  // namespace counterpoise
